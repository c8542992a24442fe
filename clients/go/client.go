// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"context"
	"encoding/json"
	"errors"
	"hash/maphash"
	"os"
	"strings"
	"sync/atomic"
	"time"
)

// DefaultPath is where the daemon listens if nobody says otherwise.
const DefaultPath = "/run/turnkeeper/turnkeeper.sock"

// SocketPath gives the path that a client without [WithSocket] uses: the environment's
// TURNKEEPER_SOCKET, else [DefaultPath].
func SocketPath() string {
	if path := os.Getenv("TURNKEEPER_SOCKET"); path != "" {
		return path
	}
	return DefaultPath
}

// ControlPath gives the control socket that belongs to a main one. It serves Ping, Health, Stats and
// Info, and answers whatever the load.
func ControlPath(main string) string {
	return strings.TrimSuffix(main, ".sock") + ".control.sock"
}

const (
	firstPause   = 50 * time.Millisecond // doubled with each retry, where the daemon names no time
	longestPause = 2 * time.Second
)

// A Client calls turnkeeperd. It is safe for concurrent use, and one is enough for a program.
//
// Nothing connects before the first call, and what the daemon closed is opened again by itself. A
// call has its connection for itself; one that is interrupted closes it, so that no call ever reads
// another's answer. A request is sent again, once and on a new connection, only if the old one closed
// before any byte of the answer, and never in a stream.
type Client struct {
	path    string
	backend Backend // answers instead of the daemon, if it isn't nil
	timeout time.Duration
	caller  string
	retries int
	ids     atomic.Int64
	pool    pool
	slots   chan struct{}
}

// An Option of [New] and [Dial].
type Option func(*Client)

// WithSocket names the daemon's socket. An empty path is [SocketPath].
func WithSocket(path string) Option {
	return func(c *Client) {
		if path != "" {
			c.path = path
		}
	}
}

// WithTimeout bounds each call as a whole, waiting and retrying included; the context's deadline
// counts too, if it is earlier. The default is 5 s. 0: only the context bounds calls.
func WithTimeout(d time.Duration) Option { return func(c *Client) { c.timeout = d } }

// WithCaller names each call in the daemon's log, if its key log_repairs asks for lines: at most 64 of A-Z, a-z, 0-9 and
// "._:-". [ContextWithCaller] names a single call.
func WithCaller(name string) Option { return func(c *Client) { c.caller = name } }

type callerKey struct{}

// ContextWithCaller gives a context whose calls have this name instead of the client's; see [WithCaller].
func ContextWithCaller(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, callerKey{}, name)
}

// callerOf gives the name of a call.
func (c *Client) callerOf(ctx context.Context) string {
	if name, ok := ctx.Value(callerKey{}).(string); ok {
		return name
	}
	return c.caller
}

// WithRetries says how often a call is made again after an error that the daemon calls retryable, or
// while nobody listens. It waits as long as the daemon asks for, else longer each time. The default
// is 0.
func WithRetries(n int) Option { return func(c *Client) { c.retries = n } }

// WithPool says how many idle connections are kept (the default is 8), and how many calls may run at
// once (64); others wait for their turn. Streams don't count. 0: none are kept, no bound.
func WithPool(idle, calls int) Option {
	return func(c *Client) {
		c.pool.keep, c.slots = idle, nil
		if calls > 0 {
			c.slots = make(chan struct{}, calls)
		}
	}
}

// New makes a client. It doesn't connect: that is for the first call to do.
func New(options ...Option) *Client {
	c := &Client{path: SocketPath(), timeout: 5 * time.Second}
	WithPool(8, 64)(c)
	for _, option := range options {
		option(c)
	}
	if c.backend != nil {
		c.path = ""
	}
	return c
}

// Dial makes a client and checks that a daemon listens and speaks this package's protocol.
func Dial(ctx context.Context, options ...Option) (*Client, error) {
	c := New(options...)
	if err := c.CheckProtocol(ctx); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// Path is the daemon's socket; "" for a client with a [Backend].
func (c *Client) Path() string { return c.path }

// where names the place that answers, for people.
func (c *Client) where() string {
	if c.backend != nil {
		return "in process"
	}
	return c.path
}

// Close closes the connections; those of calls that still run, when they end. Later calls fail with
// [ErrClosed]. Closing twice does no harm.
func (c *Client) Close() error {
	c.pool.close()
	return nil
}

// do makes one call: waits for its turn, connects, exchanges, retries.
func (c *Client) do(ctx context.Context, q *request) (json.RawMessage, error) {
	deadline := c.deadline(ctx)
	if c.slots != nil {
		leave, err := c.enter(ctx, deadline)
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	var result json.RawMessage
	err := c.retry(ctx, deadline, func() (err error) {
		result, err = c.exchange(ctx, q, deadline)
		return err
	})
	return result, c.at(err)
}

// unreached names the failures that are about the daemon, not about the call.
var unreached = map[Name]bool{
	ErrConnectFailed: true, ErrConnectionLost: true, ErrTimeout: true, ErrProtocol: true, ErrUnsupportedProtocol: true,
}

// at puts the client's socket into an error about not reaching the daemon, and gives the error back.
func (c *Client) at(err error) error {
	var fault *LocalError
	if errors.As(err, &fault) && unreached[fault.Name] {
		fault.Socket = c.path
	}
	return err
}

// deadline is the earlier of the context's and the client's own; zero: none.
func (c *Client) deadline(ctx context.Context) time.Time {
	deadline, ok := ctx.Deadline()
	if c.timeout > 0 {
		if own := time.Now().Add(c.timeout); !ok || own.Before(deadline) {
			return own
		}
	}
	return deadline
}

// enter waits until fewer calls run than may.
func (c *Client) enter(ctx context.Context, deadline time.Time) (leave func(), err error) {
	leave = func() { <-c.slots }
	select {
	case c.slots <- struct{}{}:
		return leave, nil
	default:
	}
	var late <-chan time.Time
	if !deadline.IsZero() {
		timer := time.NewTimer(time.Until(deadline))
		defer timer.Stop()
		late = timer.C
	}
	select {
	case c.slots <- struct{}{}:
		return leave, nil
	case <-late:
	case <-ctx.Done():
	}
	return nil, interrupted(ctx)
}

// retry runs attempt until it succeeds, fails for good, or there were enough. A connection that was
// lost isn't tried again here: the daemon may have died of this very request.
func (c *Client) retry(ctx context.Context, deadline time.Time, attempt func() error) error {
	for tries := 0; ; tries++ {
		err := attempt()
		if err == nil || tries >= c.retries || errors.Is(err, ErrConnectionLost) || !Retryable(err) {
			return err
		}
		wait := pauseBefore(tries, err)
		if !deadline.IsZero() && time.Until(deadline) <= wait {
			return err
		}
		if err := pause(ctx, wait, deadline); err != nil {
			return err
		}
	}
}

// pauseBefore says how long to wait: what the daemon asks for, else longer each time; and not all
// callers equally long.
func pauseBefore(tries int, err error) time.Duration {
	spread := float64(new(maphash.Hash).Sum64()>>11) / (1 << 53) // each Hash has a random seed
	var remote *RemoteError
	if errors.As(err, &remote) && remote.RetryAfter > 0 {
		return time.Duration(float64(remote.RetryAfter) * (1 + spread/4)) // never less than asked
	}
	wait := longestPause
	if tries < 5 {
		wait = firstPause << uint(tries)
	}
	return time.Duration(float64(wait) * (0.5 + spread/2))
}

// exchange carries one request; once more where the connection closed before the answer began.
func (c *Client) exchange(ctx context.Context, q *request, deadline time.Time) (json.RawMessage, error) {
	for fresh := false; ; fresh = true {
		if ctx.Err() != nil {
			return nil, interrupted(ctx)
		}
		cn, err := c.connection(ctx, fresh, deadline)
		if err != nil {
			return nil, err
		}
		result, started, err := c.once(ctx, cn, q, deadline)
		var fault *LocalError
		if !errors.As(err, &fault) {
			c.pool.put(cn) // a result, or an error that the daemon answered
			return result, err
		}
		_ = cn.Close()
		if fault.Name == ErrConnectionLost {
			if c.backend != nil && !q.stateful() {
				return nil, defect(fault)
			}
			fault.Retryable = !q.stateful()
			if !fresh && !started && fault.Retryable {
				continue
			}
		}
		return nil, err
	}
}

func (c *Client) connection(ctx context.Context, fresh bool, deadline time.Time) (link, error) {
	if c.pool.isClosed() {
		return nil, local(ErrClosed, "the client is closed", nil)
	}
	if !fresh {
		if cn := c.pool.get(); cn != nil {
			return cn, nil
		}
	}
	if c.backend != nil {
		return c.join(ctx, deadline)
	}
	cn, err := dial(ctx, c.path, deadline)
	if err != nil {
		return nil, err // as a nil link, which a nil *conn is not
	}
	return cn, nil
}

// once sends a request on a connection and reads its answer.
func (c *Client) once(ctx context.Context, cn link, q *request, deadline time.Time) (result json.RawMessage, started bool, err error) {
	timeout := time.Duration(0)
	if !deadline.IsZero() {
		if timeout = time.Until(deadline); timeout <= 0 {
			return nil, false, interrupted(ctx)
		}
	}
	id := c.ids.Add(1)
	frame, err := q.frame(id, timeout, c.callerOf(ctx))
	if err != nil {
		return nil, false, err
	}
	from, size := q.unread(frame)
	answer, started, err := cn.carry(ctx, q, frame, deadline)
	if err != nil {
		return nil, started, err
	}
	result, err = unwrap(answer, id)
	var remote *RemoteError
	if size > 0 && errors.As(err, &remote) {
		remote.countFrom(from, size)
	}
	return result, true, err
}
