// SPDX-License-Identifier: Apache-2.0

package sdktest

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The first program of the README is the one in the folder first, at most five lines longer than
// without turnkeeper, and it runs.
func TestFirstProgram(t *testing.T) {
	program, err := os.ReadFile(filepath.Join("first", "main.go"))
	check(t, err)
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	check(t, err)
	_, text, _ := strings.Cut(string(program), "\n\n")
	if !strings.Contains(string(readme), "```go\n"+text+"```\n") {
		t.Error("the README shows another program")
	}
	added := 0
	for _, line := range strings.Split(text, "\n") {
		if marked := strings.HasSuffix(line, "// +"); marked {
			added++
		} else if strings.Contains(line, "turnkeeper") {
			t.Error("not marked: " + line)
		}
	}
	if added == 0 || added > 5 {
		t.Errorf("%d lines more", added)
	}
	client := daemon(t)
	provider := &Provider{}
	server := httptest.NewServer(provider)
	defer server.Close()
	run := exec.Command("go", "run", "-buildvcs=false", "./first")
	run.Env = append(os.Environ(), "TURNKEEPER_SOCKET="+client.Path(), "ANTHROPIC_BASE_URL="+server.URL,
		"ANTHROPIC_API_KEY=k")
	output, err := run.CombinedOutput()
	if err != nil || !strings.Contains(string(output), "ok") || len(provider.Seen()) != 1 {
		t.Fatalf("%v: %s", err, output)
	}
}
