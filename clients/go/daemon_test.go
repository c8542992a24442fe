// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Against the real daemon.

// history is a body with an orphaned server tool call, of which marker makes one of a kind.
func history(marker string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"model":"claude-sonnet-4-5","max_tokens":64,"messages":[`+
		`{"role":"user","content":"q %s"},{"role":"assistant","content":[`+
		`{"type":"server_tool_use","id":"srvtoolu_%[1]s","name":"web_search","input":{"query":"x"}},`+
		` {"type":"text","text":"a\u00e9"}]},{"role":"user","content":"n"}]}`, marker))
}

func mended(marker string) string {
	return fmt.Sprintf(`{"model":"claude-sonnet-4-5","max_tokens":64,"messages":[`+
		`{"role":"user","content":"q %s"},{"role":"assistant","content":[`+
		`{"type":"text","text":"a\u00e9"}]},{"role":"user","content":"n"}]}`, marker)
}

// refusedHistory is one whose protected turn holds a result without its call.
const refusedHistory = `{"model":"claude-sonnet-4-5","max_tokens":64,"messages":[{"role":"user","content":"q"},` +
	`{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"c2ln"},` +
	`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result",` +
	`"url":"https://e.x/1","title":"Hit","encrypted_content":"RU5D"}]},{"type":"text","text":"a"}]},` +
	`{"role":"user","content":"n"}]}`

func TestMethods(t *testing.T) {
	d := realDaemon(t)
	c := d.client(t)
	ctx := inTime(t)
	check(t, c.CheckProtocol(ctx))

	report, err := c.Validate(ctx, history("1"), nil)
	check(t, err)
	v := report.Violations[0]
	if report.Valid || v.Code != "provider_executed_call_without_result" || *v.MessageIndex != 1 ||
		*v.PartIndex != 0 || v.Tool != "web_search" || v.ID != "srvtoolu_1" || !v.IsError() || v.ProviderError == "" {
		t.Fatalf("%+v", report)
	}
	repaired, err := c.Repair(ctx, history("1"), &Params{Policy: map[string]interface{}{"base": "preserve"}})
	check(t, err)
	if !repaired.Changed || !repaired.Safe || string(repaired.Document) != mended("1") ||
		repaired.Edits[0].Action != "drop" || repaired.Stats["removed_tool_calls"] != 1 {
		t.Fatalf("%s", repaired.Raw)
	}
	again, err := c.Repair(ctx, repaired.Document, nil)
	check(t, err)
	if again.Changed || &again.Document[0] != &repaired.Document[0] {
		t.Fatal("not the caller's own bytes")
	}
	_, err = c.Repair(ctx, json.RawMessage(refusedHistory), nil)
	var unsafe *UnsafeHistoryError
	if !errors.As(err, &unsafe) || unsafe.Violations[0].Needed != "textify" || unsafe.ProviderSays() == "" {
		t.Fatal(err)
	}
	turn, err := c.RepairTurn(ctx, json.RawMessage(
		` [{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}, {"type":"text","text":"a"}]`),
		&Params{StopReason: "end_turn"})
	check(t, err)
	if string(turn.Document) != ` [{"type":"text","text":"a"}]` {
		t.Fatalf("%s", turn.Document)
	}
	_, err = c.Validate(ctx, history("1"), &Params{Policy: "wishful"})
	var remote *RemoteError
	if !errors.As(err, &remote) || remote.Pointer != "/params/policy" || remote.Retryable {
		t.Fatal(err)
	}
	control := New(WithSocket(ControlPath(d.path)))
	health, err := control.Health(ctx)
	check(t, err)
	stats, err := control.Stats(ctx)
	check(t, err)
	if !health.OK() || health.Version != projectsVersion() || len(health.Checks) == 0 || stats.Methods["repair"].Requests < 3 ||
		stats.Violations["provider_executed_call_without_result"] == 0 {
		t.Fatalf("%s %s", health.Raw, stats.Raw)
	}
	_, err = control.Repair(ctx, history("1"), nil)
	wants(t, err, ErrMethodNotFound)
}

// Every method of the daemon is one of the client, those of a stream by their first word.
func TestEveryMethod(t *testing.T) {
	c := realDaemon(t).client(t)
	info, err := c.Info(inTime(t))
	check(t, err)
	for _, method := range info.Methods {
		name := ""
		first, _, _ := strings.Cut(method.Name, ".")
		for _, word := range strings.Split(first, "_") {
			name += strings.ToUpper(word[:1]) + word[1:]
		}
		if _, ok := reflect.TypeOf(c).MethodByName(name); !ok {
			t.Errorf("%s has no %s", method.Name, name)
		}
	}
}

func TestDaemonsDeadline(t *testing.T) {
	c := realDaemon(t).client(t)
	_, err := c.Call(inTime(t), "validate", json.RawMessage(`{"messages":[],"timeout_ms":0}`))
	wants(t, err, ErrInvalidParams)
}

// Callers go on calling while the daemon is killed and started again on the same listeners. Each call
// gets its answer, or an error that says that it may be made again.
func TestRestartsUnderLoad(t *testing.T) {
	ofTheSocket(t)
	d := realDaemon(t)
	clients := []*Client{d.client(t), d.client(t, WithRetries(10))}
	const callers = 64
	var answered, again atomic.Int64
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var group sync.WaitGroup
	for caller := 0; caller < callers; caller++ {
		group.Add(1)
		go func(caller int) {
			defer group.Done()
			c := clients[caller%len(clients)]
			for i := 0; ctx.Err() == nil; i++ {
				marker := fmt.Sprintf("%dx%d", caller, i)
				repaired, err := c.Repair(context.Background(), history(marker), nil)
				switch {
				case err == nil && string(repaired.Document) == mended(marker):
					answered.Add(1)
				case err == nil:
					t.Errorf("%s got %s", marker, repaired.Document)
				case Retryable(err):
					again.Add(1)
				default:
					t.Error(err)
				}
			}
		}(caller)
	}
	restarts := 0
	for _, signal := range []os.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGKILL, syscall.SIGTERM, syscall.SIGKILL} {
		before := answered.Load()
		for wait := time.Now().Add(patience); answered.Load() < before+500 && time.Now().Before(wait); {
			time.Sleep(5 * time.Millisecond)
		}
		d.stop(signal)
		d.start(t)
		restarts++
	}
	before := answered.Load()
	for wait := time.Now().Add(patience); answered.Load() < before+500 && time.Now().Before(wait); {
		time.Sleep(5 * time.Millisecond)
	}
	cancel()
	group.Wait()
	t.Logf("%d restarts: %d answers, %d errors that may be retried", restarts, answered.Load(), again.Load())
	if answered.Load() < 1000 {
		t.Error("hardly any answer")
	}
}
