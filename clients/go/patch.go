// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"encoding/json"
	"strings"
)

// JSON Patch (RFC 6902) on bytes. A document is taken apart only where an operation reaches into it:
//
//	{"model":"m","messages":[m0,m1,m2]}      remove /messages/1/content/0
//
//	node ── open object ──┬── "model"      raw bytes, never looked at
//	                      └── "messages" ── open array ──┬── m0   raw bytes
//	                                                     ├── m1   open object ── "content" ── ...
//	                                                     └── m2   raw bytes
//
// Everything that isn't open is copied out as it came, white space around it included. An open array
// is a gap buffer: a run of edits that moves through it in one direction costs the way it moves, so
// 10^5 removals from a list of 10^5 parts aren't quadratic.

// ApplyPatch gives a copy of doc with the operations of patch applied in order. Neither argument is
// changed. What no operation names keeps its bytes and isn't read, so doc must be JSON already; a
// patch that doesn't fit is ErrPatchFailed.
func ApplyPatch(doc, patch json.RawMessage) (json.RawMessage, error) {
	var operations []operation
	if err := json.Unmarshal(patch, &operations); err != nil {
		return nil, misfit("no list of operations")
	}
	return applyOperations(doc, operations)
}

// An operation is one step of a patch. Path and From are pointers to tell absent from "".
type operation struct {
	Op    string          `json:"op"`
	Path  *string         `json:"path"`
	From  *string         `json:"from"`
	Value json.RawMessage `json:"value"`
}

func applyOperations(doc []byte, operations []operation) (json.RawMessage, error) {
	start := skipSpace(doc, 0)
	end := skipValue(doc, start)
	if end < 0 || skipSpace(doc, end) != len(doc) {
		return nil, misfit("no document")
	}
	t := &tree{root: &node{before: doc[:start], raw: doc[start:end], after: doc[end:]}}
	size := len(doc)
	for _, op := range operations {
		run, ok := runs[op.Op]
		if !ok {
			return nil, misfit("no operation")
		}
		if err := run(t, op); err != nil {
			return nil, err
		}
		size += len(op.Value) + 1
	}
	return t.root.appendTo(make([]byte, 0, size)), nil
}

var runs = map[string]func(*tree, operation) error{
	"add":     (*tree).add,
	"remove":  (*tree).remove,
	"replace": (*tree).replace,
	"move":    (*tree).move,
	"copy":    (*tree).copy,
	"test":    (*tree).test,
}

// A tree is a document while operations run.
type tree struct {
	root *node
}

// A node is a value and the bytes around it in its container.
type node struct {
	before []byte // white space; in an object also the name and the colon
	raw    []byte // the value as it came, unless it is open
	after  []byte // white space
	open   *opened
}

func (t *tree) add(op operation) error {
	path, err := tokens(op.Path)
	if err != nil {
		return err
	}
	value, err := op.value()
	if err != nil {
		return err
	}
	return t.put(path, &node{raw: value})
}

func (t *tree) remove(op operation) error {
	path, err := tokens(op.Path)
	if err != nil {
		return err
	}
	_, err = t.take(path)
	return err
}

func (t *tree) replace(op operation) error {
	path, err := tokens(op.Path)
	if err != nil {
		return err
	}
	value, err := op.value()
	if err != nil {
		return err
	}
	n, err := t.find(path)
	if err != nil {
		return err
	}
	n.raw, n.open = value, nil
	return nil
}

func (t *tree) move(op operation) error {
	from, path, err := fromAndPath(op)
	if err != nil {
		return err
	}
	if len(from) < len(path) && strings.HasPrefix(*op.Path, *op.From+"/") {
		return misfit("a move into itself")
	}
	if len(from) == 0 && len(path) == 0 {
		return nil
	}
	n, err := t.take(from)
	if err != nil {
		return err
	}
	return t.put(path, &node{raw: n.raw, open: n.open})
}

func (t *tree) copy(op operation) error {
	from, path, err := fromAndPath(op)
	if err != nil {
		return err
	}
	n, err := t.find(from)
	if err != nil {
		return err
	}
	// As bytes: the two places may be edited apart later.
	return t.put(path, &node{raw: n.value()})
}

func (t *tree) test(op operation) error {
	path, err := tokens(op.Path)
	if err != nil {
		return err
	}
	value, err := op.value()
	if err != nil {
		return err
	}
	n, err := t.find(path)
	if err != nil {
		return err
	}
	if !sameValue(n.value(), value) {
		return misfit("a test that fails")
	}
	return nil
}

// find gives the node at path and opens everything on the way to it.
func (t *tree) find(path []string) (*node, error) {
	n := t.root
	for _, token := range path {
		c, err := n.enter()
		if err != nil {
			return nil, err
		}
		if n, err = c.get(token); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// parent gives the opened container that the last token of path, which isn't empty, is a place in.
func (t *tree) parent(path []string) (*opened, string, error) {
	last := len(path) - 1
	n, err := t.find(path[:last])
	if err != nil {
		return nil, "", err
	}
	c, err := n.enter()
	return c, path[last], err
}

func (t *tree) put(path []string, n *node) error {
	if len(path) == 0 {
		t.root.raw, t.root.open = n.raw, n.open
		return nil
	}
	c, token, err := t.parent(path)
	if err != nil {
		return err
	}
	return c.add(token, n)
}

func (t *tree) take(path []string) (*node, error) {
	if len(path) == 0 {
		return nil, misfit("nothing to take the document from")
	}
	c, token, err := t.parent(path)
	if err != nil {
		return nil, err
	}
	return c.take(token)
}

// enter opens the container that n is.
func (n *node) enter() (*opened, error) {
	if n.open != nil {
		return n.open, nil
	}
	c, err := openContainer(n.raw)
	if err != nil {
		return nil, err
	}
	n.open, n.raw = c, nil
	return c, nil
}

func (n *node) value() []byte {
	if n.open == nil {
		return n.raw
	}
	return n.open.appendTo(nil)
}

func (n *node) appendTo(out []byte) []byte {
	out = append(out, n.before...)
	if n.open != nil {
		out = n.open.appendTo(out)
	} else {
		out = append(out, n.raw...)
	}
	return append(out, n.after...)
}

func fromAndPath(op operation) (from, path []string, err error) {
	if from, err = tokens(op.From); err == nil {
		path, err = tokens(op.Path)
	}
	return from, path, err
}

var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// tokens splits a JSON Pointer (RFC 6901).
func tokens(pointer *string) ([]string, error) {
	switch {
	case pointer == nil || *pointer != "" && (*pointer)[0] != '/':
		return nil, misfit("no JSON Pointer")
	case *pointer == "":
		return nil, nil
	}
	path := strings.Split((*pointer)[1:], "/")
	if strings.Contains(*pointer, "~") {
		for i, token := range path {
			path[i] = unescape.Replace(token)
		}
	}
	return path, nil
}

func (op operation) value() ([]byte, error) {
	if op.Value == nil {
		return nil, misfit("an operation without its value")
	}
	return op.Value, nil
}

// misfit doesn't name the place: a member's name may be content.
func misfit(what string) error { return local(ErrPatchFailed, what, nil) }
