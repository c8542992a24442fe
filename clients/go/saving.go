// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// Files of missed requests that a folder may hold.
const maxSaved = 100

var errFolderFull = errors.New("the folder is full")

// A missFolder is where missed requests are saved.
type missFolder struct {
	path  string
	mutex sync.Mutex // held from counting the files to creating one
}

// A savedMiss is the content of a file. The provider's words are not in it: they may quote the history.
type savedMiss struct {
	Provider string          `json:"provider"`
	Status   int             `json:"status"`
	Code     *string         `json:"code"` // null: no rule's
	Request  json.RawMessage `json:"request"`
}

// SaveMisses makes the transport write each request that the provider refuses although it was judged sound (see
// [EventMissed]) to this folder, which must exist: to a new file miss-RANDOM.json that only its owner can read, up to 100
// of them. The request is as it was sent, redacted by [Client.Redact]. Besides it the file has provider, status and the
// rule's code. A file that can't be written changes nothing for the request; ErrorLog is told of it.
func (t *Transport) SaveMisses(folder string) error {
	path, err := filepath.Abs(folder)
	if err != nil {
		return fmt.Errorf("turnkeeper: misses can't be saved: %w", err)
	}
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		err = &os.PathError{Op: "stat", Path: path, Err: syscall.ENOTDIR}
	}
	if err != nil {
		return fmt.Errorf("turnkeeper: misses can't be saved: %w", err)
	}
	t.misses = &missFolder{path: path}
	return nil
}

// save writes a missed request and gives the path of the file; "" if there is none.
func (t *Transport) save(ctx context.Context, body []byte, of *api, e Event) string {
	var text []byte
	path := ""
	err := t.misses.room()
	if err == nil {
		text, err = t.redacted(ctx, body, of, e)
	}
	if err == nil {
		path, err = t.misses.write(text)
	}
	switch {
	case err == errFolderFull:
		if t.told.first(&t.told.full) {
			t.logf("turnkeeper: %s has %d missed requests: no more are saved; this is said once", t.misses.path, maxSaved)
		}
	case err != nil:
		t.logf("turnkeeper: a missed request is not saved: %v", err)
	}
	return path
}

// redacted gives the content of the file for a missed request.
func (t *Transport) redacted(ctx context.Context, body []byte, of *api, e Event) ([]byte, error) {
	request, err := t.client.Redact(ctx, body, nil)
	if err != nil {
		return nil, err
	}
	miss := savedMiss{Provider: of.name, Status: e.Status, Request: request}
	if e.Code != "" {
		miss.Code = &e.Code
	}
	text, err := encode(miss)
	return append(text, '\n'), err
}

// write makes a file with this text and returns its path.
func (f *missFolder) write(text []byte) (string, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if err := f.room(); err != nil {
		return "", err
	}
	var random [8]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", err
	}
	path := filepath.Join(f.path, "miss-"+hex.EncodeToString(random[:])+".json")
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = file.Write(text)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(path) // half a file is of no use
		return "", err
	}
	return path, nil
}

// room gives errFolderFull if no more files are to be made.
func (f *missFolder) room() error {
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return err
	}
	count := 0
	for _, entry := range entries {
		if ours, _ := filepath.Match("miss-*.json", entry.Name()); ours {
			count++
		}
	}
	if count >= maxSaved {
		return errFolderFull
	}
	return nil
}
