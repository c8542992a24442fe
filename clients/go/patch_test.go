// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"
)

// Patches (RFC 6902), applied to decoded values as the standard reads: what the splices of the same answer are
// held against.

// An operation is one step of a patch. Path and From are pointers to tell absent from "".
type operation struct {
	Op    string          `json:"op"`
	Path  *string         `json:"path"`
	From  *string         `json:"from"`
	Value json.RawMessage `json:"value"`
}

var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// tokens splits a JSON Pointer (RFC 6901).
func tokens(pointer *string) ([]string, error) {
	switch {
	case pointer == nil || *pointer != "" && (*pointer)[0] != '/':
		return nil, errors.New("no JSON Pointer")
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

// index reads the place of an array's element, 0 to last.
func index(token string, last int) (int, error) {
	for _, digit := range []byte(token) {
		if digit < '0' || digit > '9' {
			return 0, errors.New("no index")
		}
	}
	i, err := strconv.Atoi(token)
	if err != nil || len(token) > 1 && token[0] == '0' || i > last {
		return 0, errors.New("no such element")
	}
	return i, nil
}

// naive applies a patch as its standard reads, to decoded values.
func naive(doc interface{}, operations []operation) (interface{}, bool) {
	for _, op := range operations {
		path, err := tokens(op.Path)
		if err != nil {
			return nil, false
		}
		var ok bool
		switch op.Op {
		case "add", "replace", "test":
			var value interface{}
			if value, ok = decoded(op.Value); !ok {
				return nil, false
			}
			if op.Op != "add" {
				var old interface{}
				if old, ok = at(doc, path); !ok || op.Op == "test" && !same(old, value) {
					return nil, false
				}
				if op.Op == "test" {
					continue
				}
				if len(path) == 0 {
					doc = value
					continue
				}
				if doc, _, ok = taken(doc, path); !ok {
					return nil, false
				}
			}
			doc, ok = put(doc, path, value)
		case "remove":
			doc, _, ok = taken(doc, path)
		case "move", "copy":
			from, err := tokens(op.From)
			if err != nil {
				return nil, false
			}
			value, found := at(doc, from)
			if !found {
				return nil, false
			}
			ok = true
			if op.Op == "move" && !(len(from) == 0 && len(path) == 0) {
				if strings.HasPrefix(*op.Path, *op.From+"/") {
					return nil, false
				}
				doc, _, ok = taken(doc, from)
			}
			if ok {
				text, _ := json.Marshal(value)
				value, _ = decoded(text)
				doc, ok = put(doc, path, value)
			}
		}
		if !ok {
			return nil, false
		}
	}
	return doc, true
}

func at(doc interface{}, path []string) (interface{}, bool) {
	for _, token := range path {
		switch c := doc.(type) {
		case map[string]interface{}:
			value, ok := c[token]
			if !ok {
				return nil, false
			}
			doc = value
		case []interface{}:
			i, err := index(token, len(c)-1)
			if err != nil {
				return nil, false
			}
			doc = c[i]
		default:
			return nil, false
		}
	}
	return doc, true
}

// changed gives doc with the container at the parent of path replaced by what change makes of it.
func changed(doc interface{}, path []string, change func(c interface{}, token string) (interface{}, bool)) (interface{}, bool) {
	if len(path) == 1 {
		return change(doc, path[0])
	}
	child, ok := at(doc, path[:1])
	if !ok {
		return nil, false
	}
	if child, ok = changed(child, path[1:], change); !ok {
		return nil, false
	}
	if c, ok := doc.(map[string]interface{}); ok {
		c[path[0]] = child
	} else {
		i, _ := index(path[0], len(doc.([]interface{}))-1)
		doc.([]interface{})[i] = child
	}
	return doc, true
}

func put(doc interface{}, path []string, value interface{}) (interface{}, bool) {
	if len(path) == 0 {
		return value, true
	}
	return changed(doc, path, func(c interface{}, token string) (interface{}, bool) {
		switch c := c.(type) {
		case map[string]interface{}:
			c[token] = value
			return c, true
		case []interface{}:
			i, err := len(c), error(nil)
			if token != "-" {
				i, err = index(token, len(c))
			}
			if err != nil {
				return nil, false
			}
			return append(c[:i:i], append([]interface{}{value}, c[i:]...)...), true
		}
		return nil, false
	})
}

func taken(doc interface{}, path []string) (left, value interface{}, ok bool) {
	if len(path) == 0 {
		return nil, nil, false
	}
	left, ok = changed(doc, path, func(c interface{}, token string) (interface{}, bool) {
		var found bool
		if value, found = at(c, []string{token}); !found {
			return nil, false
		}
		switch c := c.(type) {
		case map[string]interface{}:
			delete(c, token)
			return c, true
		case []interface{}:
			i, _ := index(token, len(c)-1)
			return append(c[:i:i], c[i+1:]...), true
		}
		return nil, false
	})
	return left, value, ok
}

func TestDecimal(t *testing.T) {
	equal := [][]string{
		{"1", "1.0", "1e0", "10e-1", "0.1E+1", "100e-2"}, {"0", "-0", "0.0", "0e9", "-0.0e-5"},
		{"1e1000000000000000000000", "10e999999999999999999999"}, {"-12.5", "-125e-1"}, {"120", "12e1"},
	}
	for i, group := range equal {
		for _, number := range group {
			for j, other := range equal {
				if (decimal(number) == decimal(other[0])) != (i == j) {
					t.Errorf("%s and %s", number, other[0])
				}
			}
		}
	}
}
