// SPDX-License-Identifier: Apache-2.0

package sdktest

import (
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
)

// The first program of the client's README is the one in the folder first. What is marked is at most five
// lines; without them it is the SDK's own program.
func TestFirstProgram(t *testing.T) {
	if inProcess != nil {
		t.Skip("about a program that asks the daemon")
	}
	main := filepath.Join("first", "main.go")
	program, err := os.ReadFile(main)
	check(t, err)
	_, text, _ := strings.Cut(string(program), "\n\n")
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	check(t, err)
	if !strings.Contains(string(readme), "```go\n"+text+"```\n") {
		t.Error("the README shows another program")
	}
	var own strings.Builder
	added := 0
	for _, line := range strings.SplitAfter(text, "\n") {
		switch {
		case strings.HasSuffix(line, "// +\n"):
			added++
		case strings.Contains(line, "turnkeeper"):
			t.Error("not marked: " + line)
		default:
			own.WriteString(line)
		}
	}
	if added == 0 || added > 5 {
		t.Errorf("%d lines more", added)
	}
	theirs := filepath.Join(t.TempDir(), "main.go")
	check(t, os.WriteFile(theirs, []byte(own.String()), 0o600))
	client := daemon(t)
	runFirst(t, theirs, client, 0)
	runFirst(t, main, client, 1)
}

// runFirst runs a program against a provider and a daemon; guarded: how many requests the daemon has
// to have seen.
func runFirst(t *testing.T, file string, client *turnkeeper.Client, guarded int64) {
	provider := &Provider{}
	server := httptest.NewServer(provider)
	defer server.Close()
	run := exec.Command("go", "run", "-buildvcs=false", file)
	run.Env = append(os.Environ(), "TURNKEEPER_SOCKET="+client.Path(), "ANTHROPIC_BASE_URL="+server.URL,
		"ANTHROPIC_API_KEY=k")
	output, err := run.CombinedOutput()
	if err != nil || !strings.Contains(string(output), "ok") || len(provider.Seen()) != 1 {
		t.Fatalf("%v: %s", err, output)
	}
	stats, err := client.Stats(context.Background())
	check(t, err)
	if got := stats.Methods["prepare"].Requests; got != guarded {
		t.Fatalf("%d requests were guarded", got)
	}
}
