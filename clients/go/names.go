// SPDX-License-Identifier: Apache-2.0

package turnkeeper

// Made by clients/shared/generate.py from routes.json and the build's `info`: change those.

// Errors that the daemon answers (as a [*RemoteError]). A name that belongs to a whole code of the protocol matches
// all errors of that code: [ErrParse] matches [ErrTooDeep] too, and [ErrBusy] whatever a newer daemon may call its
// refusals under the same code.
const (
	// ErrParse: the payload isn't a document.
	ErrParse Name = "parse_error"
	// ErrCodecUnknown: the payload begins like neither JSON nor msgpack.
	ErrCodecUnknown Name = "codec_unknown"
	// ErrDuplicateKey: an object has a key twice.
	ErrDuplicateKey Name = "duplicate_key"
	// ErrTooDeep: arrays and objects are nested too deeply.
	ErrTooDeep Name = "too_deep"
	// ErrTooManyValues: the document holds too many values.
	ErrTooManyValues Name = "too_many_values"
	// ErrTrailingBytes: bytes follow the document.
	ErrTrailingBytes Name = "trailing_bytes"
	// ErrInvalidRequest: not a JSON-RPC 2.0 request.
	ErrInvalidRequest Name = "invalid_request"
	// ErrMethodNotFound: there is no such method here.
	ErrMethodNotFound Name = "method_not_found"
	// ErrInvalidParams: a parameter is missing or invalid.
	ErrInvalidParams Name = "invalid_params"
	// ErrDialectMismatch: the history is in another format.
	ErrDialectMismatch Name = "dialect_mismatch"
	// ErrInternal: a defect of turnkeeper, please report it.
	ErrInternal Name = "internal"
	// ErrUnsafeHistory: no allowed edit makes this history acceptable.
	ErrUnsafeHistory Name = "unsafe_history"
	// ErrSealUnsupported: a seal is of a version or algorithm that this build lacks.
	ErrSealUnsupported Name = "seal_unsupported"
	// ErrSealInvalid: a seal contradicts itself.
	ErrSealInvalid Name = "seal_invalid"
	// ErrStreamNotFound: no stream with that key is open on this connection.
	ErrStreamNotFound Name = "stream_not_found"
	// ErrStreamExists: a stream with that key is already open on this connection.
	ErrStreamExists Name = "stream_exists"
	// ErrStreamFinished: the stream has ended; stream.end returns its outcome.
	ErrStreamFinished Name = "stream_finished"
	// ErrThreadUnsupportedRequest: the request continues a thread that the provider keeps.
	ErrThreadUnsupportedRequest Name = "thread_unsupported_request"
	// ErrAssistantConflict: an appended assistant message leaves a call open.
	ErrAssistantConflict Name = "assistant_conflict"
	// ErrMissingToolResult: a call has no result.
	ErrMissingToolResult Name = "missing_tool_result"
	// ErrServerToolResultNotAllowed: only the provider may answer this call.
	ErrServerToolResultNotAllowed Name = "server_tool_result_not_allowed"
	// ErrUnknownToolUseID: a result whose call doesn't exist.
	ErrUnknownToolUseID Name = "unknown_tool_use_id"
	// ErrSystemPlacement: no user message precedes this system message.
	ErrSystemPlacement Name = "system_placement"
	// ErrEmptyMessage: a message without content.
	ErrEmptyMessage Name = "empty_message"
	// ErrTurnNotFinished: the model still works on this turn.
	ErrTurnNotFinished Name = "turn_not_finished"
	// ErrResultFormRequired: the result of such a call needs the provider's own form.
	ErrResultFormRequired Name = "result_form_required"
	// ErrResponseIDMissing: the server has the history, and the response's id is missing.
	ErrResponseIDMissing Name = "response_id_missing"
	// ErrResponseNotStored: the server has the history, but didn't store this response.
	ErrResponseNotStored Name = "response_not_stored"
	// ErrToolNameConflict: two different tools have the same name.
	ErrToolNameConflict Name = "tool_name_conflict"
	// ErrIncompatibleTools: the provider refuses these tools together.
	ErrIncompatibleTools Name = "incompatible_tools"
	// ErrBetaConflict: the provider refuses this beta value together with these tools.
	ErrBetaConflict Name = "beta_conflict"
	// ErrUnsupportedServerTool: the provider has no such tool.
	ErrUnsupportedServerTool Name = "unsupported_server_tool"
	// ErrMissingOption: the tool needs this option.
	ErrMissingOption Name = "missing_option"
	// ErrUnsupportedOption: the provider's tool has no such option.
	ErrUnsupportedOption Name = "unsupported_option"
	// ErrBudgetUnreachable: what may be removed isn't enough for this budget.
	ErrBudgetUnreachable Name = "budget_unreachable"
	// ErrFrameTooLarge: the request is larger than max_frame.
	ErrFrameTooLarge Name = "frame_too_large"
	// ErrBusy: too much work at once; nothing was consumed.
	ErrBusy Name = "busy"
	// ErrDraining: the daemon is shutting down.
	ErrDraining Name = "draining"
	// ErrDeadlineExceeded: the request's time is over.
	ErrDeadlineExceeded Name = "deadline_exceeded"
	// ErrAnswerTooLarge: the answer would be larger than max_answer.
	ErrAnswerTooLarge Name = "answer_too_large"
	// ErrRequestTooCostly: the request would make more in memory than max_memory allows.
	ErrRequestTooCostly Name = "request_too_costly"
	// ErrRefused: any error of the code -32003.
	ErrRefused Name = "refused"
	// ErrStream: any error of the code -32002.
	ErrStream Name = "stream"
)

// families has the name that matches all errors of a code.
var families = map[int]Name{
	-32700: ErrParse,
	-32603: ErrInternal,
	-32602: ErrInvalidParams,
	-32601: ErrMethodNotFound,
	-32600: ErrInvalidRequest,
	-32014: ErrAnswerTooLarge,
	-32013: ErrDeadlineExceeded,
	-32012: ErrDraining,
	-32011: ErrBusy,
	-32010: ErrFrameTooLarge,
	-32003: ErrRefused,
	-32002: ErrStream,
	-32001: ErrUnsafeHistory,
}

// Values of Params.Provider: the providers whose rules a daemon of this release judges.
const (
	ProviderAnthropic       = "anthropic"
	ProviderOpenAIChat      = "openai-chat"
	ProviderOpenAIResponses = "openai-responses"
	ProviderBedrock         = "bedrock"
	ProviderGemini          = "gemini"
)

// Values of Params.Dialect.
const (
	DialectAnthropic       = "anthropic"
	DialectFantasy         = "fantasy"
	DialectAISdk           = "ai-sdk"
	DialectOpenAIChat      = "openai-chat"
	DialectOpenAIResponses = "openai-responses"
	DialectBedrock         = "bedrock"
	DialectGemini          = "gemini"
)

// Values of Target.Endpoint. Each provider has some of them; the first one is the default.
const (
	EndpointAnthropic  = "anthropic"
	EndpointBedrock    = "bedrock"
	EndpointVertex     = "vertex"
	EndpointCompatible = "compatible"
	EndpointOpenAI     = "openai"
	EndpointAzure      = "azure"
	EndpointGemini     = "gemini"
)

// Values of Target.Server.
const (
	ServerDeepSeek   = "deepseek"
	ServerGroq       = "groq"
	ServerMistral    = "mistral"
	ServerMoonshot   = "moonshot"
	ServerOpenRouter = "openrouter"
	ServerVLLM       = "vllm"
	ServerXAI        = "xai"
)

// Values of Params.Policy that are names.
const (
	PolicyConservative = "conservative"
	PolicyPreserve     = "preserve"
)
