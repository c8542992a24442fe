// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

const pong = `{"pong":true}`

func closeAtOnce(peer) {}

func readAndClose(p peer) { p.next() }

// Scenarios: what the daemon's end does, and what becomes of a call.

func TestClosedBeforeTheAnswerIsSentAgainOnce(t *testing.T) {
	ofTheSocket(t)
	for name, script := range map[string]func(peer){"unread": closeAtOnce, "read": readAndClose} {
		t.Run(name, func(t *testing.T) {
			d := play(t, script, echo)
			check(t, called(t, d.client(t)))
			if n := d.accepted.Load(); n != 2 {
				t.Fatalf("%d connections", n)
			}
			d = play(t, script)
			err := called(t, d.client(t, WithRetries(3)))
			wants(t, err, ErrConnectionLost)
			if n := d.accepted.Load(); n != 2 || !Retryable(err) {
				t.Fatalf("%d connections, retryable: %v", n, Retryable(err))
			}
		})
	}
}

// called makes a call that takes any result for an answer.
func called(t *testing.T, c *Client) error {
	_, err := c.Call(inTime(t), "ping", map[string]string{"echo": "x"})
	return err
}

func TestClosedInsideTheAnswerIsNotSentAgain(t *testing.T) {
	ofTheSocket(t)
	for _, part := range []string{"\x00", "\x00\x00\x00\x20", "\x00\x00\x00\x20{\"id\""} {
		d := play(t, func(p peer) {
			p.next()
			_, _ = p.Write([]byte(part))
		})
		err := d.client(t).Ping(inTime(t))
		wants(t, err, ErrConnectionLost)
		if n := d.accepted.Load(); n != 1 {
			t.Fatalf("%d connections", n)
		}
	}
}

func TestStreamsAreNeverSentAgain(t *testing.T) {
	d := play(t, readAndClose)
	_, err := d.client(t).Stream(inTime(t), nil)
	wants(t, err, ErrConnectionLost)
	if n := d.accepted.Load(); n != 1 || Retryable(err) {
		t.Fatalf("%d connections, retryable: %v", n, Retryable(err))
	}
	_, err = d.client(t).Call(inTime(t), "stream.end", json.RawMessage(`{"stream":"s"}`))
	wants(t, err, ErrConnectionLost)
	if n := d.accepted.Load(); n != 2 {
		t.Fatalf("%d connections", n)
	}
}

func TestGarbage(t *testing.T) {
	ofTheSocket(t)
	for name, answer := range map[string]string{
		"not framed":     "HTTP/1.1 400 Bad Request\r\n",
		"empty":          "\x00\x00\x00\x00",
		"huge":           "\xff\xff\xff\xff{}",
		"no object":      string(framed("[]")),
		"no JSON":        string(framed("{{{{")),
		"msgpack":        string(framed("\x80")),
		"no envelope":    string(framed(`{"id":1}`)),
		"both":           string(framed(`{"id":1,"result":1,"error":{"code":1,"message":""}}`)),
		"twice":          string(framed(`{"id":1,"result":{"pong":true},"result":{"pong":true}}`)),
		"another id":     string(framed(`{"id":77,"result":{"pong":true}}`)),
		"no id":          string(framed(`{"id":null,"result":{"pong":true}}`)),
		"bad error":      string(framed(`{"id":1,"error":{"code":"x"}}`)),
		"bad result":     string(framed(`{"id":1,"result":{"pong":tru}}`)),
		"another shape":  string(framed(`{"id":1,"result":{"pong":"yes"}}`)),
		"without member": string(framed(`{"id":1,"result":{}}`)),
		"bytes behind":   string(framed(`{"id":1,"result":{"pong":true}}`)) + "x",
	} {
		t.Run(name, func(t *testing.T) {
			d := play(t, func(p peer) {
				p.next()
				_, _ = p.Write([]byte(answer))
				p.next()
			})
			c := d.client(t)
			wants(t, c.Ping(inTime(t)), ErrProtocol)
			shaped := name == "another shape" || name == "without member" // in order but for that
			if kept := c.pool.get() != nil; kept != shaped {
				t.Fatalf("connection kept: %v", kept)
			}
		})
	}
}

func TestBusyThenClose(t *testing.T) {
	busy := func(p peer) {
		p.fail("null", -32011, `{"name":"busy","retryable":true,"retry_after_ms":30}`)
	}
	large := json.RawMessage(`{"echo":"` + strings.Repeat("x", 4<<20) + `"}`) // more than a socket holds
	for name, params := range map[string]json.RawMessage{"small": nil, "large": large} {
		t.Run(name, func(t *testing.T) {
			d := play(t, busy, echo)
			c := d.client(t)
			_, err := c.Call(inTime(t), "ping", params)
			wants(t, err, ErrBusy)
			var remote *RemoteError
			if !errors.As(err, &remote) || remote.RetryAfter != 30*time.Millisecond || !Retryable(err) {
				t.Fatalf("%+v", remote)
			}
			if _, err := c.Call(inTime(t), "ping", params); err != nil {
				t.Fatal("the connection of a busy answer was used again: ", err)
			}
			begin := time.Now()
			d = play(t, busy, busy, echo)
			_, err = d.client(t, WithRetries(2)).Call(inTime(t), "ping", params)
			check(t, err)
			if waited := time.Since(begin); waited < 60*time.Millisecond {
				t.Fatalf("waited only %v", waited)
			}
		})
	}
}

func TestRetriesOnlyOnRequestAndOnlyInTime(t *testing.T) {
	drains := func(wait string) func(peer) {
		return func(p peer) {
			for c := p.next(); c != nil; c = p.next() {
				p.fail(string(c.ID), -32012, `{"name":"draining","retryable":true`+wait+`}`)
			}
		}
	}
	d := play(t, drains(""))
	wants(t, d.client(t).Ping(inTime(t)), ErrDraining)
	begin := time.Now()
	wants(t, d.client(t, WithRetries(2)).Ping(inTime(t)), ErrDraining)
	if took := time.Since(begin); took < 50*time.Millisecond {
		t.Fatalf("no pause: %v", took)
	}
	d = play(t, drains(`,"retry_after_ms":60000`))
	begin = time.Now()
	wants(t, d.client(t, WithRetries(2)).Ping(inTime(t)), ErrDraining)
	if took := time.Since(begin); took > 4*time.Second {
		t.Fatalf("waited beyond its time: %v", took)
	}
}

func TestNobodyListens(t *testing.T) {
	path := filepath.Join(folder(t), "s")
	err := New(WithSocket(path)).Ping(inTime(t))
	wants(t, err, ErrConnectFailed)
	wants(t, err, os.ErrNotExist)
	var operation *net.OpError
	if !errors.As(err, &operation) || !Retryable(err) {
		t.Fatal(err)
	}
	go func() {
		time.Sleep(100 * time.Millisecond)
		listener, err := net.Listen("unix", path)
		if err != nil {
			return
		}
		defer listener.Close()
		if end, err := listener.Accept(); err == nil {
			echo(peer{end})
		}
	}()
	check(t, called(t, New(WithSocket(path), WithRetries(20))))
}

func TestFullBacklogIsWaitedFor(t *testing.T) {
	path := filepath.Join(folder(t), "s")
	// Nobody accepts: the backlog fills, and connecting says so at once.
	listener, err := net.Listen("unix", path)
	check(t, err)
	defer listener.Close()
	var ends []net.Conn
	for len(ends) < 20000 {
		end, err := net.DialTimeout("unix", path, time.Second)
		if err != nil {
			break
		}
		ends = append(ends, end)
	}
	free := func() {
		for _, end := range ends {
			_ = end.Close()
		}
	}
	defer free()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	wants(t, New(WithSocket(path)).Ping(ctx), context.DeadlineExceeded)
	go func() {
		time.Sleep(50 * time.Millisecond)
		for {
			end, err := listener.Accept()
			if err != nil {
				return
			}
			go echo(peer{end})
		}
	}()
	check(t, called(t, New(WithSocket(path))))
}

func TestTimeoutAndCancel(t *testing.T) {
	silent := func(p peer) { p.next(); p.next() }
	half := func(p peer) { p.next(); _, _ = p.Write([]byte("\x00\x00\x00\x30{")); p.next() }
	for name, script := range map[string]func(peer){"silent": silent, "half": half} {
		t.Run(name, func(t *testing.T) {
			c := play(t, script).client(t)
			ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
			defer cancel()
			err := c.Ping(ctx)
			wants(t, err, ErrTimeout)
			wants(t, err, context.DeadlineExceeded)

			ctx, cancel = context.WithCancel(context.Background())
			time.AfterFunc(30*time.Millisecond, cancel)
			err = c.Ping(ctx)
			wants(t, err, ErrCanceled)
			wants(t, err, context.Canceled)
			wants(t, c.Ping(ctx), context.Canceled) // before it began

			own := play(t, script).client(t, WithTimeout(30*time.Millisecond))
			err = own.Ping(context.Background())
			wants(t, err, ErrTimeout)
			var timeout net.Error
			if errors.As(err, &timeout) && !timeout.Timeout() {
				t.Fatal(err)
			}
		})
	}
}

func TestDeadlineTravels(t *testing.T) {
	c := play(t, echo).client(t, WithTimeout(0))
	sent := func(ctx context.Context, params interface{}) string {
		result, err := c.Call(ctx, "ping", params)
		check(t, err)
		return string(lookup(result, "timeout_ms"))
	}
	if got := sent(context.Background(), nil); got != "" {
		t.Fatal("without a deadline: " + got)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	var ms int
	if _, err := fmt.Sscan(sent(ctx, map[string]int{"echo": 1}), &ms); err != nil || ms > 20000 || ms < 15000 {
		t.Fatalf("%d, %v", ms, err)
	}
	for _, own := range []interface{}{
		json.RawMessage(`{"timeout_ms": 77}`),
		map[string]json.RawMessage{"timeout_ms": json.RawMessage("77"), "a": json.RawMessage("1")},
	} {
		if got := sent(ctx, own); got != "77" {
			t.Fatal("the caller's own: " + got)
		}
	}
}

// A connection whose call was interrupted may still receive that answer: nobody else may read it.
func TestCancelledCallsNeverPoisonAConnection(t *testing.T) {
	c := play(t, func(p peer) {
		for c := p.next(); c != nil; c = p.next() {
			time.Sleep(time.Duration(rand.Intn(200)) * time.Microsecond)
			params, _ := json.Marshal(c.Params)
			p.result(c, string(params))
		}
	}).client(t, WithPool(4, 8))
	var group sync.WaitGroup
	for worker := 0; worker < 8; worker++ {
		group.Add(1)
		go func(worker int) {
			defer group.Done()
			for i := 0; i < 1250; i++ {
				ctx, cancel := context.WithCancel(context.Background())
				if rand.Intn(2) == 0 {
					ctx, cancel = context.WithTimeout(ctx, time.Duration(rand.Intn(300))*time.Microsecond)
				}
				mine := fmt.Sprintf(`"%d/%d"`, worker, i)
				result, err := c.Call(ctx, "ping", map[string]json.RawMessage{"echo": json.RawMessage(mine)})
				cancel()
				if err == nil && string(lookup(result, "echo")) != mine {
					t.Errorf("%s got %s", mine, result)
				}
				if err != nil && !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
			}
		}(worker)
	}
	group.Wait()
}

func TestStrayBytesCloseAnIdleConnection(t *testing.T) {
	answered, spoke := make(chan bool), make(chan bool)
	d := play(t, func(p peer) {
		p.result(p.next(), pong)
		<-answered
		_, _ = p.Write(framed(`{"jsonrpc":"2.0","id":2,"result":{"pong":true}}`))
		close(spoke)
		p.next()
	}, echo)
	c := d.client(t)
	check(t, c.Ping(inTime(t)))
	close(answered)
	<-spoke
	check(t, called(t, c))
	if n := d.accepted.Load(); n != 2 {
		t.Fatalf("%d connections", n)
	}
}

func TestPool(t *testing.T) {
	d := play(t, echo)
	c := d.client(t, WithPool(2, 0))
	var group sync.WaitGroup
	for i := 0; i < 20; i++ {
		group.Add(1)
		go func() { defer group.Done(); _ = called(t, c) }()
	}
	group.Wait()
	if n := len(c.pool.idle); n > 2 {
		t.Fatalf("%d idle", n)
	}
	before := d.accepted.Load()
	for i := 0; i < 10; i++ {
		check(t, called(t, c))
	}
	if now := d.accepted.Load(); now != before {
		t.Fatalf("%d new connections", now-before)
	}
	check(t, c.Close())
	check(t, c.Close())
	wants(t, c.Ping(inTime(t)), ErrClosed)
}

func TestCallsWaitForTheirTurn(t *testing.T) {
	release := make(chan bool)
	d := play(t, func(p peer) {
		for c := p.next(); c != nil; c = p.next() {
			<-release
			p.result(c, pong)
		}
	})
	c := d.client(t, WithPool(1, 1))
	first := make(chan error)
	go func() { first <- c.Ping(context.Background()) }()
	for d.accepted.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	wants(t, c.Ping(ctx), context.DeadlineExceeded)
	release <- true
	check(t, <-first)
	go func() { release <- true }()
	check(t, c.Ping(inTime(t)))
	if n := d.accepted.Load(); n != 1 {
		t.Fatalf("%d connections", n)
	}
}

func TestSlowAnswer(t *testing.T) {
	d := play(t, func(p peer) {
		for _, b := range framed(`{"jsonrpc":"2.0","id":` + string(p.next().ID) + `,"result":{"pong":true}}`) {
			_, _ = p.Write([]byte{b})
			time.Sleep(time.Millisecond)
		}
		p.next()
	})
	check(t, d.client(t).Ping(inTime(t)))
}

func TestLargeAnswer(t *testing.T) {
	text := strings.Repeat("0123456789abcdef", 200_000)
	c := play(t, echo).client(t)
	result, err := c.Call(inTime(t), "ping", map[string]string{"echo": text})
	check(t, err)
	if got := lookup(result, "echo"); string(got) != `"`+text+`"` {
		t.Fatalf("%d bytes", len(got))
	}
}

func TestRequestBytes(t *testing.T) {
	const odd = `{"messages" : [ { "a\/b":1.0, "n" : 1e5,"u":"\u00e9\ud800"} ], "x":  18446744073709551617 }`
	seen := make(chan string, 2)
	c := play(t, func(p peer) {
		for c := p.next(); c != nil; c = p.next() {
			seen <- string(c.text)
			p.result(c, `{"valid":true,"violations":[],"changed":false,"safe":true}`)
		}
	}).client(t)
	_, err := c.Validate(inTime(t), json.RawMessage(" "+odd+"\n"), nil)
	check(t, err)
	if got := <-seen; !strings.HasSuffix(got, `"request":`+odd+`}}`) {
		t.Fatal(got)
	}
	repaired, err := c.Repair(inTime(t), json.RawMessage(odd), &Params{Policy: "preserve"})
	check(t, err)
	if got := <-seen; !strings.HasSuffix(got, `"policy":"preserve","return":"splices","request":`+odd+`}}`) {
		t.Fatal(got)
	}
	if string(repaired.Document) != odd {
		t.Fatalf("%s", repaired.Document)
	}
}

func TestNotEncodable(t *testing.T) {
	c := New(WithSocket("/nowhere"))
	for _, document := range []string{"", "x", `"a"`, "[", "{]", `{}"`, `{},"guard":false`} {
		_, err := c.Repair(inTime(t), json.RawMessage(document), nil)
		wants(t, err, ErrNotEncodable)
	}
	for _, params := range []interface{}{make(chan int), 7, "x", json.RawMessage(`{"a":1},"b":{}`)} {
		_, err := c.Call(inTime(t), "ping", params)
		wants(t, err, ErrNotEncodable)
	}
	_, err := c.RepairTurn(inTime(t), json.RawMessage(`{}`), nil)
	wants(t, err, ErrNotEncodable)
}

// A text that begins and ends as a document does isn't read here: the daemon says what is wrong with it.
func TestDocumentsThatAreNoJSON(t *testing.T) {
	c := realDaemon(t).client(t)
	for document, name := range map[string]Name{
		`[]]`: ErrParse, `{"a":"}`: ErrParse, `[{]`: ErrParse, `{"a":1,"a":2}`: ErrDuplicateKey,
		`{},"policy":{}`: ErrInvalidParams, `{}},"more":{"a":{}`: ErrInvalidParams,
	} {
		_, err := c.Repair(inTime(t), json.RawMessage(document), nil)
		wants(t, err, name)
		_, err = c.Prepare(inTime(t), json.RawMessage(document), nil)
		if document[0] == '{' {
			wants(t, err, name)
		} else {
			wants(t, err, ErrNotEncodable)
		}
	}
	check(t, c.Ping(inTime(t)))
}

func TestRemoteErrors(t *testing.T) {
	for _, test := range []struct {
		code int
		data string
		is   []Name
		not  []Name
		can  bool
	}{
		{-32700, `{"name":"too_deep","retryable":false}`, []Name{ErrTooDeep, ErrParse}, []Name{ErrDuplicateKey}, false},
		{-32602, `{"name":"invalid_params","pointer":"/params/x"}`, []Name{ErrInvalidParams}, nil, false},
		{-32003, `{"name":"missing_tool_result"}`, []Name{ErrRefused, "missing_tool_result"}, nil, false},
		{-32002, `{"name":"stream_finished"}`, []Name{ErrStream, ErrStreamFinished}, []Name{ErrStreamExists}, false},
		{-32011, `{"name":"too_much"}`, []Name{ErrBusy, "too_much"}, nil, true},
		{-32012, `{"name":"draining","retryable":false}`, []Name{ErrDraining}, nil, false},
		{-32013, `[]`, []Name{ErrDeadlineExceeded}, []Name{ErrTimeout}, true},
		{-40000, `{"name":7}`, []Name{}, []Name{ErrBusy}, false},
	} {
		c := play(t, func(p peer) { p.fail(string(p.next().ID), test.code, test.data); p.next() }).client(t)
		err := c.Ping(inTime(t))
		for _, name := range test.is {
			wants(t, err, name)
		}
		for _, name := range test.not {
			if errors.Is(err, name) {
				t.Errorf("%d is %s", test.code, name)
			}
		}
		var remote *RemoteError
		if !errors.As(err, &remote) || remote.Code != test.code || Retryable(err) != test.can {
			t.Errorf("%d: %+v", test.code, err)
		}
	}
}

func TestErrorsThatMayLackTheID(t *testing.T) {
	for code, is := range map[int]Name{-32700: ErrParse, -32600: ErrInvalidRequest, -32603: ErrInternal,
		-32010: ErrFrameTooLarge, -32011: ErrBusy, -32014: ErrAnswerTooLarge, -32602: ErrProtocol, -32001: ErrProtocol} {
		c := play(t, func(p peer) { p.next(); p.fail("null", code, `{}`); p.next() }).client(t)
		wants(t, c.Ping(inTime(t)), is)
	}
}

func TestUnsafeHistory(t *testing.T) {
	data := `{"name":"unsafe_history","violations":[{"code":"a","severity":"error","message_index":1,
		"part_index":0,"pointer":"/messages/1/content/0","needed":"textify","provider_error":"messages.1: no"}]}`
	c := play(t, func(p peer) { p.fail(string(p.next().ID), -32001, data); p.next() }).client(t)
	_, err := c.Repair(inTime(t), json.RawMessage("[]"), nil)
	wants(t, err, ErrUnsafeHistory)
	var unsafe *UnsafeHistoryError
	var remote *RemoteError
	if !errors.As(err, &unsafe) || !errors.As(err, &remote) {
		t.Fatal(err)
	}
	v := unsafe.Violations[0]
	if *v.MessageIndex != 1 || v.Needed != "textify" || unsafe.ProviderSays() != "messages.1: no" {
		t.Fatalf("%+v", v)
	}
	for _, part := range []string{"unsafe_history", "a at /messages/1/content/0", "messages.1: no"} {
		if !strings.Contains(err.Error(), part) {
			t.Fatal(err)
		}
	}
}

func TestRepairTrustsNoAnswerThatDoesntAddUp(t *testing.T) {
	for _, result := range []string{
		`{}`,
		`{"changed":false}`,
		`{"changed":false,"safe":false}`, // and yet not the error that guard mode promises
		`{"changed":true,"safe":true}`,
		`{"changed":true,"safe":true,"splices":[]}`,
		`{"changed":true,"safe":true,"splices":null}`,
		`{"changed":false,"safe":true,"splices":[[1,2,""]]}`,
		`{"changed":true,"safe":true,"splices":[[1,2]]}`,
		`{"changed":true,"safe":true,"splices":[[1,2,"",3]]}`,
		`{"changed":true,"safe":true,"splices":[[1,2,null]]}`,
		`{"changed":true,"safe":true,"splices":[["1",2,""]]}`,
		`{"changed":true,"safe":true,"splices":[[-1,2,""]]}`,
		`{"changed":true,"safe":true,"splices":[[1,-1,""]]}`,
		`{"changed":true,"safe":true,"splices":[[5,0,""]]}`,
		`{"changed":true,"safe":true,"splices":[[1,4,""]]}`,
		`{"changed":true,"safe":true,"splices":[[9223372036854775807,1,""]]}`,
		`{"changed":true,"safe":true,"splices":[[1,9223372036854775807,""]]}`,
		`{"changed":true,"safe":true,"splices":[[2,1,""],[1,1,""]]}`,
		`{"changed":true,"safe":true,"splices":[[1,2,""],[2,1,""]]}`,
	} {
		_, err := play(t, answers(result)).client(t).Repair(inTime(t), json.RawMessage(`[{}]`), nil)
		wants(t, err, ErrProtocol)
	}
	r, err := play(t, answers(`{"changed":false,"safe":false}`)).client(t).
		Repair(inTime(t), json.RawMessage(`[{}]`), &Params{Unguarded: true})
	check(t, err)
	if r.Safe {
		t.Fatal("safe")
	}
}

func TestCheckProtocol(t *testing.T) {
	d := play(t, answers(`{"version":"9","protocol":2,"methods":[]}`))
	_, err := Dial(inTime(t), WithSocket(d.path))
	wants(t, err, ErrUnsupportedProtocol)
	wants(t, err, ErrProtocol)
	d = play(t, answers(`{"version":"9","protocol":1,"methods":[]}`, pong))
	c, err := Dial(inTime(t), WithSocket(d.path))
	check(t, err)
	check(t, c.Ping(inTime(t)))
}

func TestPaths(t *testing.T) {
	t.Setenv("TURNKEEPER_SOCKET", "")
	if got := New(WithSocket("")).Path(); got != DefaultPath {
		t.Fatal(got)
	}
	t.Setenv("TURNKEEPER_SOCKET", "/x/y.sock")
	if got := New().Path(); got != "/x/y.sock" {
		t.Fatal(got)
	}
	if got := ControlPath("/x/y.sock"); got != "/x/y.control.sock" {
		t.Fatal(got)
	}
	if got := ControlPath("/x/y"); got != "/x/y.control.sock" {
		t.Fatal(got)
	}
}

func TestPauses(t *testing.T) {
	for tries := 0; tries < 60; tries++ {
		wait := pauseBefore(tries, local(ErrConnectFailed, "", nil))
		if wait < firstPause/2 || wait > longestPause {
			t.Fatalf("%d: %v", tries, wait)
		}
	}
	asked := &RemoteError{RetryAfter: time.Second}
	if wait := pauseBefore(0, asked); wait < time.Second || wait > 5*time.Second/4 {
		t.Fatal(wait)
	}
}
