// SPDX-License-Identifier: Apache-2.0

package turnkeeper_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
)

// The history of an agent that died in the middle of a web search.
const call = `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"go"}}`

const stuck = `[{"role":"user","content":"Which Go is current?"},` +
	`{"role":"assistant","content":[` + call + `,{"type":"text","text":"Let me look."}]},{"role":"user","content":"And?"}]`

func ExampleClient_Repair() {
	path, stop := scripted(removesTheCall(""))
	defer stop()
	client := turnkeeper.New(turnkeeper.WithSocket(path))
	defer client.Close()

	repaired, err := client.Repair(context.Background(), json.RawMessage(stuck), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, edit := range repaired.Edits {
		fmt.Println(edit.Action, edit.Tool, "at", edit.Pointer)
	}
	fmt.Printf("%s\n", repaired.Document)
	// Output:
	// drop web_search at /messages/1/content/0
	// [{"role":"user","content":"Which Go is current?"},{"role":"assistant","content":[{"type":"text","text":"Let me look."}]},{"role":"user","content":"And?"}]
}

// The guard fails closed: a history that it can't repair is an error that says why.
func ExampleUnsafeHistoryError() {
	path, stop := scripted(cantBeMended)
	defer stop()
	client := turnkeeper.New(turnkeeper.WithSocket(path))
	defer client.Close()

	_, err := client.Repair(context.Background(), json.RawMessage(stuck), nil)
	var unsafe *turnkeeper.UnsafeHistoryError
	switch {
	case errors.As(err, &unsafe):
		fmt.Println("would need:", unsafe.Violations[0].Needed)
		fmt.Println("the provider:", unsafe.ProviderSays())
	case errors.Is(err, turnkeeper.ErrBusy):
		fmt.Println("later")
	}
	// Output:
	// would need: textify
	// the provider: messages.1.content.1: unexpected `tool_use_id` found in `web_search_tool_result` blocks: srvtoolu_1.
}

// One line where the HTTP client is made; whatever uses that client is guarded.
func ExampleTransport() {
	path, stop := scripted(removesTheCall(`{"messages":`))
	defer stop()
	provider := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Printf("the provider gets %s\n", body)
	}))
	defer provider.Close()

	guard := turnkeeper.NewTransport(turnkeeper.New(turnkeeper.WithSocket(path)), turnkeeper.FailClosed)
	client := &http.Client{Transport: guard}

	response, err := client.Post(provider.URL+"/v1/messages", "application/json", strings.NewReader(`{"messages":`+stuck+`}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = response.Body.Close()
	// Output:
	// the provider gets {"messages":[{"role":"user","content":"Which Go is current?"},{"role":"assistant","content":[{"type":"text","text":"Let me look."}]},{"role":"user","content":"And?"}]}
}

// A filter reads the provider's stream, and the program reads the filter.
func ExampleClient_FilterSSE() {
	client := turnkeeper.New()
	ctx := context.Background()
	filter, err := client.FilterSSE(ctx, os.Stdin, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer filter.Close()
	if _, err := io.Copy(os.Stdout, filter); err != nil {
		fmt.Println(err)
		return
	}
	turn, err := filter.Turn()
	if err != nil {
		fmt.Println(err) // a *PairingError: don't store anything
		return
	}
	fmt.Printf("store this: %s\n", turn.Message)
}
