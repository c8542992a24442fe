// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Helpers of the tests: a daemon played by a script, and the real one.

const patience = 30 * time.Second

func inTime(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// folder gives a folder whose name is short: the path of a socket has room for 107 bytes.
func folder(t testing.TB) string {
	path, err := os.MkdirTemp("", "tk")
	check(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(path) })
	return path
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A call is a request as a fake daemon reads it.
type call struct {
	ID     json.RawMessage            `json:"id"`
	Method string                     `json:"method"`
	Params map[string]json.RawMessage `json:"params"`
	text   []byte
}

// A peer is the daemon's end of one connection.
type peer struct{ net.Conn }

// next reads a request; nil at the end.
func (p peer) next() *call {
	header := make([]byte, headerSize)
	if _, err := io.ReadFull(p, header); err != nil {
		return nil
	}
	body := make([]byte, binary.BigEndian.Uint32(header))
	if _, err := io.ReadFull(p, body); err != nil {
		return nil
	}
	c := &call{text: body}
	_ = json.Unmarshal(body, c)
	return c
}

func framed(body string) []byte {
	frame := make([]byte, headerSize, headerSize+len(body))
	binary.BigEndian.PutUint32(frame, uint32(len(body)))
	return append(frame, body...)
}

func (p peer) result(c *call, result string) {
	_, _ = p.Write(framed(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, c.ID, result)))
}

func (p peer) fail(id string, code int, data string) {
	body := `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"said","data":%s}}`
	_, _ = p.Write(framed(fmt.Sprintf(body, id, code, data)))
}

// splicing gives the member "splices" of an answer to a call: in the document that it sent, texts are replaced, given
// as pairs of old and new in the order of the document. An empty old text is the end of the container.
func splicing(c *call, changes ...string) string {
	var document string
	for _, name := range []string{"request", "messages", "tools"} {
		if document == "" {
			document = string(c.Params[name])
		}
	}
	return splicesOf(document, changes...)
}

func splicesOf(document string, changes ...string) string {
	var list [][]interface{}
	at := 0
	for i := 0; i < len(changes); i += 2 {
		from := len(document) - 1
		if changes[i] != "" {
			from = at + strings.Index(document[at:], changes[i])
		}
		list = append(list, []interface{}{from, len(changes[i]), changes[i+1]})
		at = from + len(changes[i])
	}
	text, _ := json.Marshal(list)
	return `"splices":` + string(text)
}

// echo answers everything with its own parameters.
func echo(p peer) {
	for c := p.next(); c != nil; c = p.next() {
		params, _ := json.Marshal(c.Params)
		p.result(c, string(params))
	}
}

// once answers one request with a result, then waits for the end.
func answers(results ...string) func(peer) {
	return func(p peer) {
		for _, result := range results {
			c := p.next()
			if c == nil {
				return
			}
			p.result(c, result)
		}
		p.next()
	}
}

// fake plays one script a connection, in order, the last one also for all that follow.
type fake struct {
	path     string
	accepted atomic.Int64
}

func play(t testing.TB, scripts ...func(peer)) *fake {
	d := &fake{path: filepath.Join(folder(t), "s")}
	listener, err := net.Listen("unix", d.path)
	check(t, err)
	var mutex sync.Mutex
	var ends []net.Conn
	t.Cleanup(func() {
		_ = listener.Close()
		mutex.Lock()
		defer mutex.Unlock()
		for _, end := range ends {
			_ = end.Close()
		}
	})
	go func() {
		for {
			end, err := listener.Accept()
			if err != nil {
				return
			}
			n := int(d.accepted.Add(1)) - 1
			mutex.Lock()
			ends = append(ends, end)
			mutex.Unlock()
			go func() {
				defer end.Close()
				scripts[atMost(n, len(scripts)-1)](peer{end})
			}()
		}
	}()
	return d
}

func (d *fake) client(t testing.TB, options ...Option) *Client {
	c := New(append(over(t, d.path, false), options...)...)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// wants fails the test unless err is what it should be.
func wants(t testing.TB, err error, target error) {
	t.Helper()
	if !errors.Is(err, target) {
		t.Fatalf("want %v, got %v", target, err)
	}
}

// daemon is the real one, with listeners that outlive it, as systemd keeps them.
type daemon struct {
	path    string
	sockets []*os.File
	process *exec.Cmd
}

// realDaemon starts the program that TURNKEEPERD names; without it the test is skipped.
func realDaemon(t testing.TB, options ...string) *daemon {
	program := os.Getenv("TURNKEEPERD")
	if program == "" {
		t.Skip("TURNKEEPERD names no daemon")
	}
	dir := folder(t)
	d := &daemon{path: filepath.Join(dir, "s.sock")}
	for _, path := range []string{d.path, ControlPath(d.path)} {
		address := &net.UnixAddr{Name: path, Net: "unix"}
		listener, err := net.ListenUnix("unix", address)
		check(t, err)
		listener.SetUnlinkOnClose(false)
		file, err := listener.File()
		check(t, err)
		check(t, listener.Close()) // the file goes on listening, and nobody here accepts
		d.sockets = append(d.sockets, file)
	}
	t.Cleanup(func() {
		d.stop(syscall.SIGKILL)
		for _, file := range d.sockets {
			_ = file.Close()
		}
	})
	d.start(t, append([]string{program}, options...)...)
	return d
}

// start runs the daemon with the sockets as its descriptors 3 and 4.
func (d *daemon) start(t testing.TB, command ...string) {
	if len(command) == 0 {
		command = d.process.Args[4:]
	}
	script := `export LISTEN_PID=$$ LISTEN_FDS=2; exec "$@" --socket "$0" 2>/dev/null`
	arguments := append([]string{"-c", script, d.path}, command...)
	d.process = exec.Command("sh", arguments...)
	d.process.ExtraFiles = d.sockets
	check(t, d.process.Start())
}

// stop ends the daemon with a signal and waits for that.
func (d *daemon) stop(signal os.Signal) {
	if d.process != nil {
		_ = d.process.Process.Signal(signal)
		_ = d.process.Wait()
	}
}

// client makes a client of the real daemon, once that answers.
func (d *daemon) client(t testing.TB, options ...Option) *Client {
	c := New(append(append(over(t, d.path, true), WithTimeout(patience)), options...)...)
	t.Cleanup(func() { _ = c.Close() })
	check(t, c.Ping(inTime(t)))
	return c
}

// serves skips the test if this daemon lacks a method.
func (d *daemon) serves(t testing.TB, c *Client, method string) {
	info, err := c.Info(inTime(t))
	check(t, err)
	for _, m := range info.Methods {
		if m.Name == method {
			return
		}
	}
	t.Skipf("this daemon doesn't serve %s", method)
}

// inTree gives a path in the project's tree; the test is skipped if the module is not in it.
func inTree(t testing.TB, parts ...string) string {
	path := filepath.Join(append([]string{"..", ".."}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skip("not in the project's tree")
	}
	return path
}

func lines(t testing.TB, path string) []string {
	file, err := os.Open(path)
	check(t, err)
	defer file.Close()
	var all []string
	for s := bufio.NewScanner(file); s.Scan(); {
		all = append(all, s.Text())
	}
	return all
}
