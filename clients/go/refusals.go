// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// refused says no to a request or a response, in the form that the user chose.
func (t *Transport) refused(req *http.Request, of *api, err error) (*http.Response, error) {
	var unsafe *UnsafeHistoryError
	var fault *PairingError
	no := refusal{of: of, message: err.Error()}
	switch {
	case !t.RefuseWithResponse:
		return nil, err
	case errors.As(err, &unsafe):
		no.by = &refusedBy{unsafe.Remote.Code, unsafe.Remote.Message, unsafe.Remote.Data}
		if says := unsafe.ProviderSays(); says != "" {
			no.message = says
		}
		if len(unsafe.Violations) > 0 {
			no.pointer = unsafe.Violations[0].Pointer
		}
		return no.response(req, http.StatusBadRequest, false), nil
	case errors.As(err, &fault):
		return no.response(req, http.StatusBadGateway, fault.Retryable), nil
	case isTheRequests(err):
		return no.response(req, http.StatusBadRequest, false), nil
	}
	return nil, err
}

// isTheRequests tells an error that the request would meet the next time as well.
func isTheRequests(err error) bool {
	var remote *RemoteError
	if !errors.As(err, &remote) {
		return errors.Is(err, ErrNotEncodable)
	}
	about := strings.HasPrefix(remote.Pointer, "/params/request") || remote.Pointer == "/params/provider"
	return remote.Is(ErrParse) || remote.Is(ErrFrameTooLarge) || remote.Is(ErrAnswerTooLarge) ||
		remote.Is(ErrInvalidParams) && about
}

// A refusal is what the provider would have answered, and what the daemon said.
type refusal struct {
	of      *api
	message string
	pointer string // of the first fault, "" for the whole request
	by      *refusedBy
}

// refusedBy is the error as the daemon sent it.
type refusedBy struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// The bodies of errors. OpenAI's SDKs hand out what is in "error" and nothing beside it, so there the violations
// are in it.
type (
	anthropicRefusal struct {
		Type       string           `json:"type"`
		Error      anthropicMessage `json:"error"`
		Turnkeeper *refusedBy       `json:"turnkeeper,omitempty"`
	}
	anthropicMessage struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	}
	openaiRefusal struct {
		Error openaiMessage `json:"error"`
	}
	openaiMessage struct {
		Message    string     `json:"message"`
		Type       string     `json:"type"`
		Param      *string    `json:"param"`
		Code       *string    `json:"code"`
		Turnkeeper *refusedBy `json:"turnkeeper,omitempty"`
	}
)

// body gives the refusal in the provider's form. kind is the type of the error.
func (r refusal) body(kind string) interface{} {
	if r.of.openai {
		return openaiRefusal{openaiMessage{Message: r.message, Type: kind, Param: paramOf(r.pointer), Turnkeeper: r.by}}
	}
	return anthropicRefusal{"error", anthropicMessage{kind, r.message}, r.by}
}

var indexes = regexp.MustCompile(`\.(\d+)\b`)

// paramOf spells a place as OpenAI does: "messages[3].tool_calls[0]".
func paramOf(pointer string) *string {
	if pointer == "" {
		return nil
	}
	param := indexes.ReplaceAllString(strings.ReplaceAll(pointer[1:], "/", "."), "[$1]")
	return &param
}

// response is what the provider would have answered.
func (r refusal) response(req *http.Request, status int, retry bool) *http.Response {
	kind := "invalid_request_error"
	if retry {
		kind = "api_error"
	}
	text, err := encode(r.body(kind))
	if err != nil { // data that isn't JSON: no daemon sends that
		r.by = nil
		text, _ = encode(r.body(kind))
	}
	return &http.Response{
		Status:     strconv.Itoa(status) + " " + http.StatusText(status),
		StatusCode: status,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{
			"Content-Type":   {"application/json"},
			"X-Should-Retry": {strconv.FormatBool(retry)},
		},
		Body:          io.NopCloser(bytes.NewReader(text)),
		ContentLength: int64(len(text)),
		Request:       req,
	}
}

// RefusalIn finds in the body of an error response, or in what an SDK gives of it, the violations that
// [Transport.RefuseWithResponse] put there; nil if the response is about something else, or the provider's own.
func RefusalIn(body []byte) *UnsafeHistoryError {
	var found struct {
		Turnkeeper json.RawMessage `json:"turnkeeper"`
		Error      json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &found) != nil {
		return nil
	}
	if found.Turnkeeper == nil {
		found.Turnkeeper = lookup(trimmed(found.Error), "turnkeeper")
	}
	if found.Turnkeeper == nil {
		return nil
	}
	var unsafe *UnsafeHistoryError
	errors.As(remoteError(found.Turnkeeper), &unsafe)
	return unsafe
}
