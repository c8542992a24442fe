// SPDX-License-Identifier: Apache-2.0

package sdktest

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
)

// The transport tells the program about the SDK's requests.
func TestEvents(t *testing.T) {
	const orphan = "provider_executed_call_without_result"
	eachForm(t, func(t *testing.T, s *scene) {
		var told []turnkeeper.Event
		s.guard.OnEvent = func(e turnkeeper.Event) { told = append(told, e) }
		folder := t.TempDir()
		check(t, s.guard.SaveMisses(folder))

		m, err := s.ask(s.with, user("q"))
		if got := said(t, m, err); got != "ok" || told != nil {
			t.Fatalf("%s %+v", got, told)
		}
		_, err = s.ask(s.with, user("q"), crashed(), user("go on"))
		check(t, err)
		signed := anthropic.NewAssistantMessage(anthropic.NewThinkingBlock("c2ln", "t"),
			anthropic.NewWebSearchToolResultBlock([]anthropic.WebSearchResultBlockParam{
				{URL: "https://go.dev", Title: "Go", EncryptedContent: "RU5D"}}, "srvtoolu_7"))
		s.guard.RefuseWithResponse = true
		_, err = s.ask(s.with, user("q"), signed, user("go on"))
		s.refused(t, err, "provider_executed_result_without_call")
		_, err = s.ask(s.with, user("q"), crashed(), user("refuse"))
		var no *anthropic.Error
		if !errors.As(err, &no) || no.StatusCode != 400 || !strings.Contains(no.RawJSON(), "toolu_1. Each `tool_use` block") {
			t.Fatal(err)
		}

		repaired := turnkeeper.Event{Kind: turnkeeper.EventRepaired, Provider: "anthropic",
			Codes: map[string]int{orphan: 1}, Actions: map[string]int{"drop": 1}}
		refused := turnkeeper.Event{Kind: turnkeeper.EventRefused, Provider: "anthropic",
			Codes: map[string]int{"provider_executed_result_without_call": 1}}
		missed := turnkeeper.Event{Kind: turnkeeper.EventMissed, Provider: "anthropic", Status: 400, Code: "tool_use_without_result"}
		if len(told) == 4 {
			missed.Saved = told[3].Saved
		}
		if want := []turnkeeper.Event{repaired, refused, repaired, missed}; !reflect.DeepEqual(told, want) {
			t.Fatalf("want %+v, got %+v", want, told)
		}
		files, err := filepath.Glob(filepath.Join(folder, "*"))
		check(t, err)
		if len(files) != 1 || files[0] != missed.Saved {
			t.Fatal(files, missed.Saved)
		}
		text, err := os.ReadFile(missed.Saved)
		check(t, err)
		var miss struct{ Request struct{ Messages []message } }
		check(t, json.Unmarshal(text, &miss))
		if len(miss.Request.Messages) != 3 || len(miss.Request.Messages[1].blocks()) != 1 {
			t.Fatalf("not the repaired request: %s", text)
		}
	})
}
