// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"encoding/json"
)

// Scanning: where values of a JSON text begin and end, without reading what is in them.
//
//	{"model": "m", "messages": [ {...}, {...} ]}
//	               ^ skip: from here ...       ^ to here, by counting brackets outside strings
//
// This isn't a parser and doesn't judge: the daemon reads every document strictly. What it finds
// agrees with any strict reader wherever that one accepts the text.

const (
	plain byte = iota
	space
	quote
	opening
	closing
	comma
)

var classes = [256]byte{
	' ': space, '\t': space, '\n': space, '\r': space,
	'"': quote, '[': opening, '{': opening, ']': closing, '}': closing, ',': comma,
}

// skipSpace gives the first place from i on that holds no white space.
func skipSpace(b []byte, i int) int {
	for i < len(b) && classes[b[i]] == space {
		i++
	}
	return i
}

// skipString returns the place after the string that begins at i; -1 if it doesn't end.
func skipString(b []byte, i int) int {
	for start := i + 1; ; {
		n := bytes.IndexByte(b[start:], '"')
		if n < 0 {
			return -1
		}
		end := start + n
		escapes := 0
		for end-escapes-1 > i && b[end-escapes-1] == '\\' {
			escapes++
		}
		start = end + 1
		if escapes%2 == 0 {
			return start
		}
	}
}

// skipValue returns the place after the value that begins at i; -1 if there is none or it doesn't end.
func skipValue(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch classes[b[i]] {
	case quote:
		return skipString(b, i)
	case opening:
		return skipContainer(b, i)
	case plain:
		for i < len(b) && classes[b[i]] == plain {
			i++
		}
		return i
	}
	return -1
}

func skipContainer(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch classes[b[i]] {
		case opening:
			depth++
		case closing:
			if depth--; depth == 0 {
				return i + 1
			}
		case quote:
			if i = skipString(b, i); i < 0 {
				return -1
			}
			continue
		}
		i++
	}
	return -1
}

// container gives the one array or object that b holds, without the white space around it; nil if b
// holds anything else. Such a span can be put into a larger text without becoming part of it.
func container(b []byte) []byte {
	b = trimmed(b)
	if len(b) == 0 || classes[b[0]] != opening || skipContainer(b, 0) != len(b) {
		return nil
	}
	return b
}

// outline gives what b holds, without the white space around it, if that begins and ends as an array or an object
// does; else nil. What is between isn't read.
func outline(b []byte) []byte {
	b = trimmed(b)
	if len(b) < 2 || classes[b[0]] != opening || !closes(b) {
		return nil
	}
	return b
}

// trimmed is b without the white space around it.
func trimmed(b []byte) []byte {
	end := len(b)
	for end > 0 && classes[b[end-1]] == space {
		end--
	}
	return b[skipSpace(b[:end], 0):end]
}

// A span is one element of a container: b[start:end] is its value. In an object the name is
// b[name:nameEnd], quotes included. The element reaches from the previous comma to the next one.
type span struct {
	from, to      int
	name, nameEnd int
	start, end    int
}

// elements calls visit with each element of the container that b is, in order, until it returns
// false. It returns false if b isn't built as a container.
func elements(b []byte, visit func(span) bool) bool {
	if len(b) < 2 || classes[b[0]] != opening {
		return false
	}
	last := len(b) - 1 // the closing bracket
	i := skipSpace(b, 1)
	if i == last {
		return closes(b)
	}
	for from := 1; ; from = i {
		s, ok := element(b, from)
		if !ok {
			return false
		}
		if !visit(s) {
			return true
		}
		if i = s.to; i == last {
			return closes(b)
		}
		if b[i] != ',' {
			return false
		}
		i++
	}
}

func closes(b []byte) bool { return b[len(b)-1] == b[0]+2 } // "[]" and "{}" lie two apart in ASCII

// element reads the element whose place in its container begins at i.
func element(b []byte, i int) (s span, ok bool) {
	s.from = i
	i = skipSpace(b, i)
	if b[0] == '{' {
		if i >= len(b) || b[i] != '"' {
			return s, false
		}
		s.name = i
		if s.nameEnd = skipString(b, i); s.nameEnd < 0 {
			return s, false
		}
		i = skipSpace(b, s.nameEnd)
		if i >= len(b) || b[i] != ':' {
			return s, false
		}
		i = skipSpace(b, i+1)
	}
	s.start = i
	if s.end = skipValue(b, i); s.end < 0 {
		return s, false
	}
	s.to = skipSpace(b, s.end)
	return s, s.to < len(b)
}

// lookup gives the value of a member of the object that b is; nil if there is none. The name is
// compared as it is usually spelled, without escapes.
func lookup(b []byte, name string) []byte {
	var value []byte
	elements(b, func(s span) bool {
		if s.nameEnd-s.name == len(name)+2 && string(b[s.name+1:s.nameEnd-1]) == name {
			value = b[s.start:s.end]
		}
		return value == nil
	})
	return value
}

// spelled gives the text that a quoted string spells.
func spelled(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	var name string
	if json.Unmarshal(quoted, &name) != nil {
		return string(quoted) // no text of UTF-8
	}
	return name
}
