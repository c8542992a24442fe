// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	linked "container/list"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sort"
	"sync"
)

// Seals of the turns that a Transport saw pass, and which of them a request may be about.
//
//	turn ──> seal ──> keep    by the opaque digests of its signed blocks and the ids of its calls
//	request body ──> of ──> the seals whose signatures or ids are spelled in it, oldest first
//
// Of a body only the values after the names that matter are read: signatures, and ids where there
// is a signature that no seal knows, for it may have been altered. A body without any has nothing that
// could break. What is found too much does no harm: the daemon decides what a seal belongs to.

const (
	sealCount = 1024
	sealSize  = 1 << 20 // of all seals as JSON
)

// A sealStore holds seals of turns with signed blocks, for only they can break. Those that no request was
// about for the longest time go first.
type sealStore struct {
	mutex  sync.Mutex
	count  int
	free   int
	made   int
	recent linked.List                // of *keptSeal, the longest unused in front
	turns  map[string]*linked.Element // by turn
	keys   map[string]string          // the turn, by id or opaque digest
}

type keptSeal struct {
	number int // in the order in which they were made: seals of one message are joined in it
	seal   json.RawMessage
	turn   string
	keys   []string
}

func newSealStore(count, size int) *sealStore {
	return &sealStore{count: count, free: size, turns: map[string]*linked.Element{}, keys: map[string]string{}}
}

func (s *sealStore) keep(seal json.RawMessage) {
	var read struct {
		Turn   string
		Blocks []struct{ ID, Opaque string }
	}
	if json.Unmarshal(seal, &read) != nil {
		return
	}
	kept := &keptSeal{seal: append(json.RawMessage(nil), seal...), turn: read.Turn}
	signed := false
	for _, block := range read.Blocks {
		for _, key := range []string{block.ID, block.Opaque} {
			if key != "" {
				kept.keys = append(kept.keys, key)
			}
		}
		signed = signed || block.Opaque != ""
	}
	if signed && kept.turn != "" {
		s.put(kept)
	}
}

func (s *sealStore) put(kept *keptSeal) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.drop(s.turns[kept.turn])
	s.made++
	kept.number = s.made
	s.turns[kept.turn] = s.recent.PushBack(kept)
	for _, key := range kept.keys {
		s.keys[key] = kept.turn
	}
	s.free -= len(kept.seal)
	for s.free < 0 || s.recent.Len() > s.count {
		s.drop(s.recent.Front())
	}
}

// drop takes one out, if it is there; the caller holds the mutex.
func (s *sealStore) drop(element *linked.Element) {
	if element == nil {
		return
	}
	kept := s.recent.Remove(element).(*keptSeal)
	s.free += len(kept.seal)
	delete(s.turns, kept.turn)
	for _, key := range kept.keys {
		if s.keys[key] == kept.turn {
			delete(s.keys, key)
		}
	}
}

// forget drops all of them.
func (s *sealStore) forget() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for s.recent.Len() > 0 {
		s.drop(s.recent.Front())
	}
}

func (s *sealStore) empty() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.recent.Len() == 0
}

// knows tells whether there is a seal for each key.
func (s *sealStore) knows(keys []string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, key := range keys {
		if _, ok := s.keys[key]; !ok {
			return false
		}
	}
	return true
}

// of gives the parameter seals for a request with this body; nil: none is about it.
func (s *sealStore) of(body []byte) json.RawMessage {
	if s.empty() || !maySign(body) {
		return nil
	}
	keys := signaturesIn(body)
	if !s.knows(keys) {
		spelledAt(body, `"id"`, func(value []byte) { keys = append(keys, string(value)) })
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var found []*keptSeal
	seen := map[string]bool{}
	for _, key := range keys {
		if turn, ok := s.keys[key]; ok && !seen[turn] {
			seen[turn] = true
			element := s.turns[turn]
			s.recent.MoveToBack(element)
			found = append(found, element.Value.(*keptSeal))
		}
	}
	if len(found) == 0 {
		return nil
	}
	sort.Slice(found, func(i, j int) bool { return found[i].number < found[j].number })
	text := []byte{'['}
	for i, kept := range found {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(append(text, `{"seal":`...), kept.seal...), '}')
	}
	return append(text, ']')
}

// maySign tells whether a body may hold a signed block, so that it is worth a seal.
func maySign(body []byte) bool {
	return bytes.Contains(body, []byte(`"signature"`)) || bytes.Contains(body, redacted)
}

var redacted = []byte(`"redacted_thinking"`)

// signaturesIn gives the opaque digests of what may be signed blocks.
func signaturesIn(body []byte) []string {
	var keys []string
	spelledAt(body, `"signature"`, func(value []byte) { keys = append(keys, opaque("thinking", value)) })
	if bytes.Contains(body, redacted) { // images have such a member, too
		spelledAt(body, `"data"`, func(value []byte) { keys = append(keys, opaque("redacted_thinking", value)) })
	}
	return keys
}

// spelledAt visits the strings after a name; not those with an escape, which ids and base64 never need.
func spelledAt(body []byte, name string, visit func([]byte)) {
	for {
		i := bytes.Index(body, []byte(name))
		if i < 0 {
			return
		}
		body = body[i+len(name):]
		i = skipSpace(body, 0)
		if i >= len(body) || body[i] != ':' {
			continue
		}
		i = skipSpace(body, i+1)
		if i >= len(body) || body[i] != '"' {
			continue
		}
		value := body[i+1:]
		end := bytes.IndexByte(value, '"')
		if end > 0 && bytes.IndexByte(value[:end], '\\') < 0 {
			visit(value[:end])
		}
	}
}

// opaque is the digest that seals know a signed block by (OPERATIONS.md C.1).
func opaque(kind string, secret []byte) string {
	digest := sha256.New()
	fmt.Fprintf(digest, "turnkeeper.opaque.v1\x00s%d:%ss%d:", len(kind), kind, len(secret))
	digest.Write(secret)
	return hex.EncodeToString(digest.Sum(nil))
}
