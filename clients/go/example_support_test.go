// SPDX-License-Identifier: Apache-2.0

package turnkeeper_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// scripted plays a daemon for the examples, so that they run anywhere: it gives the same answer, a
// member "result" or "error", to every call.
func scripted(answer string) (path string, stop func()) {
	folder, err := os.MkdirTemp("", "tk")
	if err != nil {
		panic(err)
	}
	path = filepath.Join(folder, "s.sock")
	listener, err := net.Listen("unix", path)
	if err != nil {
		panic(err)
	}
	go func() {
		for {
			end, err := listener.Accept()
			if err != nil {
				return
			}
			go serve(end, answer)
		}
	}()
	return path, func() { _ = listener.Close(); _ = os.RemoveAll(folder) }
}

func serve(end net.Conn, answer string) {
	defer end.Close()
	for {
		header := make([]byte, 4)
		if _, err := io.ReadFull(end, header); err != nil {
			return
		}
		body := make([]byte, binary.BigEndian.Uint32(header))
		if _, err := io.ReadFull(end, body); err != nil {
			return
		}
		var request struct{ ID json.RawMessage }
		_ = json.Unmarshal(body, &request)
		reply := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, request.ID, answer)
		binary.BigEndian.PutUint32(header, uint32(len(reply)))
		_, _ = end.Write(append(header, reply...))
	}
}

// removesTheCall answers a document that holds the history stuck, with `before` before it.
func removesTheCall(before string) string {
	return `"result":{"protocol":1,"changed":true,"safe":true,"edits":[{"code":"provider_executed_call_without_result",` +
		`"action":"drop","pointer":"/messages/1/content/0","id":"srvtoolu_1","tool":"web_search"}],"stats":{},` +
		`"violations":[],"counts":{},"truncated":0,"protected":null,` +
		fmt.Sprintf(`"splices":[[%d,%d,""]]}`, len(before)+strings.Index(stuck, call), len(call)+1)
}

const cantBeMended = `"error":{"code":-32001,"message":"no allowed edit makes this history acceptable","data":{` +
	`"name":"unsafe_history","retryable":false,"violations":[{"code":"provider_executed_result_without_call",` +
	`"severity":"error","message_index":1,"part_index":1,"pointer":"/messages/1/content/1","id":"srvtoolu_1",` +
	`"tool":"web_search","text":"","needed":"textify","provider_error":"messages.1.content.1: unexpected ` +
	"`tool_use_id` found in `web_search_tool_result` blocks: srvtoolu_1." + `"}]}}`
