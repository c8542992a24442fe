// SPDX-License-Identifier: Apache-2.0

// Two chats that are stuck, with OpenAI's SDK: as they are, and with turnkeeper at the place where the HTTP client
// is made. One is of Chat Completions, one of Responses.
//
//	OPENAI_API_KEY=... TURNKEEPER_SOCKET=... go run .
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
)

// chat is the history of an agent that died in the middle of a tool's run and was asked to go on.
func chat() openai.ChatCompletionNewParams {
	call := openai.ChatCompletionMessageFunctionToolCallParam{ID: "call_01Cut",
		Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{
			Name: "road_status", Arguments: `{"road": "pass"}`}}
	calling := openai.ChatCompletionAssistantMessageParam{
		ToolCalls: []openai.ChatCompletionMessageToolCallUnionParam{{OfFunction: &call}}}
	return openai.ChatCompletionNewParams{Model: "gpt-5", Messages: []openai.ChatCompletionMessageParamUnion{
		openai.UserMessage("Is the pass open?"), {OfAssistant: &calling}, openai.UserMessage("Are you still there?")}}
}

// items is a history of which a trimmer kept the output of a tool and dropped its call.
func items() responses.ResponseNewParams {
	output := responses.ResponseInputItemParamOfFunctionCallOutput("open, with chains")
	output.OfFunctionCallOutput.CallID = openai.String("call_01Lost")
	user := responses.EasyInputMessageRoleUser
	return responses.ResponseNewParams{Model: "gpt-5", Input: responses.ResponseNewParamsInputUnion{
		OfInputItemList: responses.ResponseInputParam{
			responses.ResponseInputItemParamOfMessage("Is the pass open?", user), output,
			responses.ResponseInputItemParamOfMessage("Are you still there?", user)}}}
}

func main() {
	fmt.Println("without turnkeeper:")
	ask(openai.NewClient())

	guard := turnkeeper.NewTransport(turnkeeper.New(), turnkeeper.FailClosed)
	guard.RefuseWithResponse = true
	guard.OnRepair = func(_ *http.Request, r *turnkeeper.Repaired) {
		for _, edit := range r.Edits {
			fmt.Printf("    repaired on its way: %s %s at %s\n", edit.Action, edit.ID, edit.Pointer)
		}
	}
	fmt.Println("with turnkeeper:")
	ask(openai.NewClient(option.WithHTTPClient(&http.Client{Transport: guard})))
}

// ask asks both APIs and prints the answers.
func ask(client openai.Client) {
	said := ""
	completion, err := client.Chat.Completions.New(context.Background(), chat())
	if err == nil {
		said = completion.Choices[0].Message.Content
	}
	show("Chat Completions", said, err)
	response, err := client.Responses.New(context.Background(), items())
	if err == nil {
		said = response.OutputText()
	}
	show("Responses", said, err)
}

func show(api, said string, err error) {
	var refused *openai.Error
	switch {
	case errors.As(err, &refused):
		fmt.Printf("    %s: %d %s\n", api, refused.StatusCode, refused.Message)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	default:
		fmt.Printf("    %s: %s\n", api, said)
	}
}
