// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"

	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
)

func main() {
	ctx, keeper, seals := context.Background(), turnkeeper.New(), []map[string]json.RawMessage{}
	request := json.RawMessage(`{"model": "claude-sonnet-5-5", "max_tokens": 1024,
		"tools": [{"name": "get_weather", "input_schema": {"type": "object"}}],
		"messages": [{"role": "user", "content": "Is it raining in Oslo, and is that in the news?"}]}`)
	steps := &turnkeeper.PrepareParams{Tools: &turnkeeper.ToolsParams{Add: []interface{}{"web_search"}}}
	for {
		ready, err := keeper.Prepare(ctx, request, steps)
		must(err)
		if request = ready.Document; ready.Stops() {
			break
		}
		turn := ask(request, ready.Headers)
		seal, err := keeper.Seal(ctx, turn, &turnkeeper.SealParams{Request: request})
		must(err)
		seals = append(seals, map[string]json.RawMessage{"seal": seal})
		steps.Seals, _ = json.Marshal(seals)
		steps.Turn = turn
		steps.Splice = &turnkeeper.SpliceParams{ToolResults: run(turn), Appended: ready.Deferred}
	}
	fmt.Printf("%s\n", request)
}
