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

// The bodies of errors. OpenAI's SDKs hand out what is in "error" and nothing next to it, Google's only the members
// that it knows there. So the violations are where each finds them.
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
	googleRefusal struct {
		Error googleMessage `json:"error"`
	}
	googleMessage struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Status  string          `json:"status"`
		Details []refusedDetail `json:"details,omitempty"`
	}
	refusedDetail struct {
		Turnkeeper *refusedBy `json:"turnkeeper"`
	}
	awsRefusal struct {
		Message    string     `json:"message"`
		Turnkeeper *refusedBy `json:"turnkeeper,omitempty"`
	}
)

// body gives the refusal in the provider's form. kind is the type of the error.
func (r refusal) body(status int, kind string) interface{} {
	switch r.of.refusal {
	case "openai":
		return openaiRefusal{openaiMessage{Message: r.message, Type: kind, Param: paramOf(r.pointer), Turnkeeper: r.by}}
	case "google":
		return googleRefusal{googleMessage{status, r.message, "INVALID_ARGUMENT", r.details()}}
	case "aws":
		return awsRefusal{r.message, r.by}
	}
	return anthropicRefusal{"error", anthropicMessage{kind, r.message}, r.by}
}

func (r refusal) details() []refusedDetail {
	if r.by == nil {
		return nil
	}
	return []refusedDetail{{r.by}}
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
	text, err := encode(r.body(status, kind))
	if err != nil { // data that isn't JSON: no daemon sends that
		r.by = nil
		text, _ = encode(r.body(status, kind))
	}
	header := http.Header{"Content-Type": {"application/json"}, "X-Should-Retry": {strconv.FormatBool(retry)}}
	if r.of.refusal == "aws" {
		header.Set("X-Amzn-Errortype", "ValidationException")
	}
	return &http.Response{
		Status:     strconv.Itoa(status) + " " + http.StatusText(status),
		StatusCode: status,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        header,
		Body:          io.NopCloser(bytes.NewReader(text)),
		ContentLength: int64(len(text)),
		Request:       req,
	}
}

// RefusalIn finds in the body of an error response, or in what an SDK gives of it, the violations that
// [Transport.RefuseWithResponse] put there; nil if the response is about something else, or the provider's own.
func RefusalIn(body []byte) *UnsafeHistoryError {
	type mark struct {
		Turnkeeper json.RawMessage `json:"turnkeeper"`
	}
	type marks struct {
		mark
		Details []mark `json:"details"`
	}
	var found struct {
		marks
		Error marks `json:"error"`
	}
	_ = json.Unmarshal(body, &found) // what has other types is somebody else's error
	all := []mark{found.mark, found.Error.mark}
	for _, at := range append(append(all, found.Details...), found.Error.Details...) {
		var unsafe *UnsafeHistoryError
		if at.Turnkeeper != nil && errors.As(remoteError(at.Turnkeeper), &unsafe) {
			return unsafe
		}
	}
	return nil
}
