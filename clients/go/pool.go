// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import "sync"

// A pool keeps idle connections, the one used last on top. It never holds one that a call uses.
type pool struct {
	mutex  sync.Mutex
	idle   []link
	keep   int
	closed bool
}

// get gives an idle connection that is quiet, or nil.
func (p *pool) get() link {
	for {
		p.mutex.Lock()
		last := len(p.idle) - 1
		if last < 0 {
			p.mutex.Unlock()
			return nil
		}
		c := p.idle[last]
		p.idle[last] = nil
		p.idle = p.idle[:last]
		p.mutex.Unlock()
		if c.quiet() {
			return c
		}
		_ = c.Close()
	}
}

// put takes a connection that is in order; one too many closes the longest idle.
func (p *pool) put(c link) {
	if back, ok := c.(inProcess); ok && !back.Usable() {
		_ = c.Close()
		return
	}
	p.mutex.Lock()
	p.idle = append(p.idle, c)
	var extra link
	if p.closed || len(p.idle) > p.keep {
		extra = p.idle[0]
		p.idle = append(p.idle[:0], p.idle[1:]...)
	}
	p.mutex.Unlock()
	if extra != nil {
		_ = extra.Close()
	}
}

func (p *pool) close() {
	p.mutex.Lock()
	idle := p.idle
	p.idle, p.closed = nil, true
	p.mutex.Unlock()
	for _, c := range idle {
		_ = c.Close()
	}
}

func (p *pool) isClosed() bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.closed
}
