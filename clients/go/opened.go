// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// opened is a container that a patch reaches into: its elements, not what is in them.
//
// The gap buffer of an array is front, then back from its end to its beginning. An object keeps all
// its members in front, in order; taken ones stay there as nil until the end.
type opened struct {
	bracket byte
	space   []byte // white space between the brackets while there are no elements
	front   []*node
	back    []*node
	names   map[string]int // of an object: the index in front
}

func openContainer(raw []byte) (*opened, error) {
	c := &opened{}
	if len(raw) == 0 || classes[raw[0]] != opening {
		return nil, misfit("a way through what is no container")
	}
	c.bracket = raw[0]
	var spans []span
	if !elements(raw, func(s span) bool { spans = append(spans, s); return true }) {
		return nil, misfit("a document that isn't JSON")
	}
	nodes := make([]node, len(spans))
	c.front = make([]*node, len(spans))
	if c.bracket == '{' {
		c.names = make(map[string]int, len(spans))
	}
	twice := false
	for i, s := range spans {
		n := &nodes[i]
		n.before, n.raw, n.after = raw[s.from:s.start:s.start], raw[s.start:s.end:s.end], raw[s.end:s.to:s.to]
		if c.bracket == '{' {
			name := spelled(raw[s.name:s.nameEnd])
			_, known := c.names[name]
			twice = twice || known
			c.names[name] = i
		}
		c.front[i] = n
	}
	if twice {
		return nil, misfit("a name that occurs twice in an object")
	}
	if len(spans) == 0 {
		c.space = raw[1 : len(raw)-1]
	}
	return c, nil
}

// spelled gives the name that a quoted string spells.
func spelled(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	var name string
	if json.Unmarshal(quoted, &name) != nil {
		return string(quoted) // no name that a pointer can spell
	}
	return name
}

func (c *opened) get(token string) (*node, error) {
	if c.names != nil {
		i, ok := c.names[token]
		if !ok {
			return nil, misfit("no such member")
		}
		return c.front[i], nil
	}
	i, err := index(token, c.length()-1)
	if err != nil {
		return nil, err
	}
	if i < len(c.front) {
		return c.front[i], nil
	}
	return c.back[c.length()-1-i], nil
}

func (c *opened) add(token string, n *node) error {
	if c.names != nil {
		if i, ok := c.names[token]; ok {
			c.front[i].raw, c.front[i].open = n.raw, n.open
			return nil
		}
		n.before = append(quoted(token), ':')
		c.names[token] = len(c.front)
		c.front = append(c.front, n)
		return nil
	}
	i := c.length()
	if token != "-" {
		var err error
		if i, err = index(token, i); err != nil {
			return err
		}
	}
	c.moveGap(i)
	c.front = append(c.front, n)
	return nil
}

func (c *opened) take(token string) (*node, error) {
	n, err := c.get(token)
	if err != nil {
		return nil, err
	}
	if c.names != nil {
		c.front[c.names[token]] = nil
		delete(c.names, token)
		return n, nil
	}
	i, err := index(token, c.length()-1)
	if err != nil {
		return nil, err
	}
	c.moveGap(i)
	c.back = c.back[:len(c.back)-1]
	return n, nil
}

func (c *opened) length() int { return len(c.front) + len(c.back) }

// moveGap moves the gap before element i.
func (c *opened) moveGap(i int) {
	for len(c.front) > i {
		last := len(c.front) - 1
		c.back = append(c.back, c.front[last])
		c.front = c.front[:last]
	}
	for len(c.front) < i {
		last := len(c.back) - 1
		c.front = append(c.front, c.back[last])
		c.back = c.back[:last]
	}
}

func (c *opened) appendTo(out []byte) []byte {
	start := len(out) + 1
	out = append(out, c.bracket)
	separate := func(n *node) {
		if n == nil {
			return
		}
		if len(out) > start {
			out = append(out, ',')
		}
		out = n.appendTo(out)
	}
	for _, n := range c.front {
		separate(n)
	}
	for i := len(c.back) - 1; i >= 0; i-- {
		separate(c.back[i])
	}
	if len(out) == start {
		out = append(out, c.space...)
	}
	return append(out, c.bracket+2)
}

// index reads the place of an array's element, 0 to last.
func index(token string, last int) (int, error) {
	for _, digit := range []byte(token) {
		if digit < '0' || digit > '9' {
			return 0, misfit("no index")
		}
	}
	i, err := strconv.Atoi(token)
	if err != nil || len(token) > 1 && token[0] == '0' || i > last {
		return 0, misfit("no such element")
	}
	return i, nil
}
