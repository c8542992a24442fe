// SPDX-License-Identifier: Apache-2.0

package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
)

// What only this back end can do wrong. That its answers are the daemon's is what the tests of the package turnkeeper find out,
// which run with it too.

const patience = time.Minute

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wants fails the test unless err is what it should be.
func wants(t testing.TB, err, target error) {
	t.Helper()
	if !errors.Is(err, target) {
		t.Fatalf("want %v, got %v", target, err)
	}
}

func keeper(options ...Option) *turnkeeper.Client {
	return turnkeeper.New(Backend(options...), turnkeeper.WithTimeout(patience))
}

// broken is a list of messages with a search that has no result; padding makes it longer.
func broken(marker string, padding int) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`[{"role":"user","content":"q %s%s"},{"role":"assistant","content":[`+
		`{"type":"server_tool_use","id":"srvtoolu_%[1]s","name":"web_search","input":{"query":"x"}},`+
		` {"type":"text","text":"a\u00e9"}]},{"role":"user","content":"n"}]`, marker, strings.Repeat("x", padding)))
}

func mended(marker string, padding int) string {
	return fmt.Sprintf(`[{"role":"user","content":"q %s%s"},{"role":"assistant","content":[`+
		`{"type":"text","text":"a\u00e9"}]},{"role":"user","content":"n"}]`, marker, strings.Repeat("x", padding))
}

// mends checks that a client repairs a history.
func mends(t testing.TB, c *turnkeeper.Client, marker string, padding int) {
	t.Helper()
	r, err := c.Repair(context.Background(), broken(marker, padding), nil)
	check(t, err)
	if string(r.Document) != mended(marker, padding) {
		t.Fatalf("%.300s", r.Document)
	}
}

func TestNoDaemonIsNeeded(t *testing.T) {
	t.Setenv("TURNKEEPER_SOCKET", "/nowhere")
	c := keeper()
	check(t, c.CheckProtocol(context.Background()))
	mends(t, c, "1", 0)
	_, err := c.Health(context.Background())
	wants(t, err, turnkeeper.ErrMethodNotFound)
	_, err = c.Stats(context.Background())
	wants(t, err, turnkeeper.ErrMethodNotFound)
	check(t, c.Close())
	wants(t, c.Ping(context.Background()), turnkeeper.ErrClosed)
}

// Two instances that answer the same request draw keys of their own, and yet give the same bytes.
func TestInstancesAgree(t *testing.T) {
	var answers []string
	for i := 0; i < 2; i++ {
		r, err := keeper().Repair(context.Background(), broken("1", 0), nil)
		check(t, err)
		answers = append(answers, string(r.Raw))
	}
	if answers[0] != answers[1] {
		t.Fatal(answers)
	}
}

func TestManyGoroutines(t *testing.T) {
	c := keeper()
	var group sync.WaitGroup
	for caller := 0; caller < 64; caller++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := 0; i < 20; i++ {
				marker := fmt.Sprintf("%dx%d", caller, i)
				padding := 1 << (caller % 16)
				r, err := c.Repair(context.Background(), broken(marker, padding), nil)
				if err != nil || string(r.Document) != mended(marker, padding) {
					t.Errorf("%s: %v", marker, err)
				}
			}
		}()
	}
	group.Wait()
}

func TestTheFirstCallsComeTogether(t *testing.T) {
	c := keeper(WithCacheDir(""))
	var group sync.WaitGroup
	for caller := 0; caller < 8; caller++ {
		group.Add(1)
		go func() {
			defer group.Done()
			if err := c.Ping(context.Background()); err != nil {
				t.Error(err)
			}
		}()
	}
	group.Wait()
}

// The error is the one that a daemon gives, and nothing was copied: an instance of this size has no room for the request.
func TestTooLarge(t *testing.T) {
	c := keeper(WithLimits(Limits{MaxFrame: 8 << 20, MaxMemory: 1 << 20}))
	_, err := c.Validate(context.Background(), broken("1", 8<<20), nil)
	wants(t, err, turnkeeper.ErrFrameTooLarge)
	var remote *turnkeeper.RemoteError
	if !errors.As(err, &remote) || remote.Limit != 8<<20 || remote.Retryable || remote.Code != -32010 {
		t.Fatalf("%+v", remote)
	}
	mends(t, c, "1", 0)
}

func TestTheDefaultLimitOfRequests(t *testing.T) {
	document := json.RawMessage(`[{"role":"user","content":"` + strings.Repeat("x", defaultFrame) + `"}]`)
	_, err := keeper().Validate(context.Background(), document, nil)
	wants(t, err, turnkeeper.ErrFrameTooLarge)
}

func TestLimitsOfTheCore(t *testing.T) {
	deep := json.RawMessage(`[{"role":"user","content":[[[[[[[[]]]]]]]]}]`)
	for _, c := range []struct {
		limits   Limits
		want     turnkeeper.Name
		document json.RawMessage
	}{
		{Limits{MaxDepth: 8}, turnkeeper.ErrTooDeep, deep},
		{Limits{MaxValues: 12}, turnkeeper.ErrTooManyValues, broken("1", 0)},
		{Limits{MaxAnswer: 400}, turnkeeper.ErrAnswerTooLarge, broken("1", 0)},
	} {
		_, err := keeper(WithLimits(c.limits)).Validate(context.Background(), c.document, nil)
		wants(t, err, c.want)
	}
}

// The limit is met while a request is read, before its id is known, or while it is judged.
func TestLimitOfMemory(t *testing.T) {
	for _, limit := range []uint32{300_000, 8_000_000} {
		c := keeper(WithLimits(Limits{MaxRequestMemory: limit}))
		_, err := c.Repair(context.Background(), json.RawMessage(faulty(20_000)), nil)
		wants(t, err, turnkeeper.ErrRequestTooCostly)
		check(t, c.Ping(context.Background()))
	}
}

func TestLimitsOfStreams(t *testing.T) {
	c := turnkeeper.New(Backend(WithLimits(Limits{MaxStreams: 1, MaxStreamBuffer: 100})), turnkeeper.WithPool(1, 1))
	open := func(key string) error {
		_, err := c.Call(context.Background(), "stream.open", map[string]string{"stream": key})
		return err
	}
	check(t, open("a"))
	wants(t, open("b"), turnkeeper.ErrBusy)
	s, err := c.Stream(context.Background(), nil)
	check(t, err)
	_, err = s.Feed(context.Background(), []byte("data: "+strings.Repeat("x", 200)))
	check(t, err)
	_, err = s.Finish(context.Background())
	wants(t, err, turnkeeper.Name("stream_too_large"))
}

// A module without memory for a request fails that call, and the next one has another instance.
func TestNoMemory(t *testing.T) {
	c := keeper(WithLimits(Limits{MaxMemory: 2 << 20}))
	mends(t, c, "1", 0)
	for i := 0; i < 3; i++ {
		_, err := c.Repair(context.Background(), broken("1", 4<<20), nil)
		wants(t, err, turnkeeper.ErrInternal)
		mends(t, c, "1", 100<<10)
	}
}

func TestMemoryWithoutRoomForTheModule(t *testing.T) {
	err := keeper(WithLimits(Limits{MaxMemory: pageSize})).Ping(context.Background())
	wants(t, err, turnkeeper.ErrConnectFailed)
	if turnkeeper.Retryable(err) {
		t.Fatal(err)
	}
}

// A witness gives the connections that a client made.
type witness struct {
	*backend
	made []*connection
}

func (w *witness) Connect(ctx context.Context) (turnkeeper.Connection, error) {
	c, err := w.backend.Connect(ctx)
	if err == nil {
		w.made = append(w.made, c.(*connection))
	}
	return c, err
}

// newest gives the instance of the connection made last.
func (w *witness) newest() *instance { return w.made[len(w.made)-1].instance }

// ruin writes over the whole memory of an instance, which will end with a trap.
func ruin(i *instance) {
	room, _ := i.memory.Read(0, i.memory.Size())
	for n := range room {
		room[n] = 0xFF
	}
}

func watched() (*witness, *turnkeeper.Client) {
	w := &witness{backend: &backend{settings: settings{limits: Limits{MaxFrame: defaultFrame}, folder: userFolder()}}}
	return w, turnkeeper.New(turnkeeper.WithBackend(w), turnkeeper.WithTimeout(patience))
}

// A trap fails its call. The next one has another instance, and a stream doesn't notice what happens to others.
func TestTrap(t *testing.T) {
	w, c := watched()
	s, err := c.Stream(context.Background(), nil)
	check(t, err)
	for i := 0; i < 3; i++ {
		mends(t, c, "1", 0)
		ruin(w.newest())
		_, err := c.Repair(context.Background(), broken("1", 0), nil)
		wants(t, err, turnkeeper.ErrInternal)
		if w.newest() != nil {
			t.Fatal("the instance isn't dropped")
		}
	}
	mends(t, c, "1", 0)
	_, err = s.Feed(context.Background(), []byte("x"))
	check(t, err)
	check(t, s.Close())
	if len(w.made) != 5 {
		t.Fatalf("%d instances", len(w.made))
	}
}

// A stream whose instance ends is lost, with the error of a lost connection.
func TestStreamOfAnInstanceThatEnds(t *testing.T) {
	w, c := watched()
	s, err := c.Stream(context.Background(), nil)
	check(t, err)
	ruin(w.newest())
	_, err = s.Feed(context.Background(), []byte("x"))
	wants(t, err, turnkeeper.ErrConnectionLost)
	_, err = s.Finish(context.Background())
	wants(t, err, turnkeeper.ErrConnectionLost)
	mends(t, c, "1", 0)
}

// connected gives a connection of a back end of its own.
func connected(t *testing.T, l Limits) *connection {
	if l.MaxFrame == 0 {
		l.MaxFrame = defaultFrame
	}
	b := &backend{settings: settings{limits: l, folder: userFolder()}}
	c, err := b.Connect(context.Background())
	check(t, err)
	return c.(*connection)
}

func request(method, params string) turnkeeper.Request {
	return turnkeeper.Request{Method: method, Pieces: [][]byte{[]byte(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":`),
		[]byte(params), []byte("}")}}
}

// messages gives the parameters of a call with so many messages.
func messages(n int) string {
	return `{"messages":[` + strings.Repeat(`{"role":"user","content":"`+strings.Repeat("x", 40)+`"},`, n) + `{"role":"user","content":"x"}]}`
}

func ask(t *testing.T, c *connection, method, params string) {
	t.Helper()
	answer, err := c.Exchange(context.Background(), request(method, params))
	check(t, err)
	if !strings.Contains(string(answer), `"result"`) {
		t.Fatalf("%.300s", answer)
	}
}

func TestAGrownInstanceIsNotKept(t *testing.T) {
	c := connected(t, Limits{})
	ask(t, c, "ping", "{}")
	if !c.Usable() {
		t.Fatal("a new instance isn't kept")
	}
	large := messages(300_000)
	ask(t, c, "stream.open", `{"stream":"s"}`)
	ask(t, c, "validate", large)
	if !c.instance.grown() || !c.Usable() {
		t.Fatal("an instance with a stream isn't kept", c.instance.memory.Size())
	}
	ask(t, c, "stream.end", `{"stream":"s","transport_error":null}`)
	if c.Usable() {
		t.Fatal("a large instance is kept")
	}
	check(t, c.Close())
	if _, err := c.Exchange(context.Background(), request("ping", "{}")); !errors.Is(err, errLost) {
		t.Fatal(err)
	}
}

// A call that is given up returns at once; its instance is dropped when it has ended, not before.
func TestGivenUp(t *testing.T) {
	c := connected(t, Limits{})
	ctx, cancel := context.WithCancel(context.Background())
	finished := make(chan error)
	large := request("repair", messages(300_000))
	go func() {
		_, err := c.Exchange(ctx, large)
		finished <- err
	}()
	for running := false; !running; time.Sleep(time.Millisecond) {
		c.mutex.Lock()
		running = c.running
		c.mutex.Unlock()
	}
	if _, err := c.Exchange(context.Background(), request("ping", "{}")); !errors.Is(err, errInUse) {
		t.Fatal(err)
	}
	cancel()
	wants(t, <-finished, context.Canceled)
	if c.Usable() {
		t.Fatal("a call that was given up leaves its connection usable")
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		c.mutex.Lock()
		dropped := c.instance == nil
		c.mutex.Unlock()
		if dropped {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the instance is never dropped")
		}
	}
}

// faulty has a fault in every second message.
func faulty(n int) string {
	var b strings.Builder
	b.WriteString(`{"messages":[`)
	for i := 0; i < n; i++ {
		fmt.Fprintf(&b, `{"role":"user","content":"q"},{"role":"assistant","content":[`+
			`{"type":"text","text":"a"},{"type":"tool_use","id":"t%d","name":"f","input":{}}]},`, i)
	}
	b.WriteString(`{"role":"user","content":"q"}]}`)
	return b.String()
}

// The work of a call that is given up ends soon, however much is left of it. The best of some is taken: the machine may have
// other work.
func TestWorkEndsWithItsContext(t *testing.T) {
	large := request("repair", faulty(50_000))
	best := patience
	for try := 0; try < 5 && best > 100*time.Millisecond; try++ {
		c := connected(t, Limits{})
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(150*time.Millisecond, cancel)
		_, err := c.Exchange(ctx, large)
		wants(t, err, context.Canceled)
		from := time.Now()
		for running := true; running; time.Sleep(time.Millisecond) {
			c.mutex.Lock()
			running = c.running
			c.mutex.Unlock()
			if time.Since(from) > patience {
				t.Fatal("the work never ends")
			}
		}
		best = min(best, time.Since(from))
	}
	if best > 100*time.Millisecond {
		t.Fatalf("the work went on for %v", best)
	}
}

// A call that was stopped gives an error of the protocol, with memory that moves meanwhile, too.
func TestStop(t *testing.T) {
	c := connected(t, Limits{})
	large := request("repair", faulty(50_000))
	stopping := time.AfterFunc(50*time.Millisecond, c.instance.stop)
	defer stopping.Stop()
	answer, err := c.Exchange(context.Background(), large)
	check(t, err)
	if !strings.Contains(string(answer), "deadline_exceeded") {
		t.Fatalf("%.200s", answer)
	}
}

func TestCallsThatAreGivenUp(t *testing.T) {
	c := turnkeeper.New(Backend(), turnkeeper.WithTimeout(time.Millisecond))
	mends(t, keeper(), "1", 0) // compiles
	long := json.RawMessage(faulty(50_000))
	for i := 0; i < 5; i++ {
		_, err := c.Repair(context.Background(), long, nil)
		wants(t, err, turnkeeper.ErrTimeout)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	wants(t, keeper().Ping(ctx), turnkeeper.ErrCanceled)
}

// The machine code of the module stays in the folder for the next process.
func TestCacheDir(t *testing.T) {
	folder := t.TempDir()
	check(t, keeper(WithCacheDir(folder)).Ping(context.Background()))
	kept, err := os.ReadDir(folder)
	check(t, err)
	if len(kept) == 0 {
		t.Fatal("nothing is kept")
	}
}

// A folder that can't be made is no reason not to work.
func TestCacheDirThatCannotBe(t *testing.T) {
	file := t.TempDir() + "/file"
	check(t, os.WriteFile(file, nil, 0o600))
	mends(t, keeper(WithCacheDir(file+"/folder")), "1", 0)
}
