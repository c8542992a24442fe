# SPDX-License-Identifier: Apache-2.0
"""Everything that this package raises on purpose: what errors_base.py has, and a class for each other name that a
daemon's error may have.

Made by clients/shared/generate.py from routes.json and the build's `info`: change those.
"""

from __future__ import annotations

from . import errors_base
from .errors_base import *

__all__ = [
    "AnswerTooLarge",
    "AssistantConflict",
    "BetaConflict",
    "BudgetUnreachable",
    "Busy",
    "CodecUnknown",
    "ConnectFailed",
    "ConnectionLost",
    "DeadlineExceeded",
    "DialectMismatch",
    "Draining",
    "DuplicateKey",
    "EmptyMessage",
    "EncodeError",
    "FrameTooLarge",
    "IncompatibleTools",
    "InternalError",
    "InvalidParams",
    "InvalidRequest",
    "LibraryMissing",
    "MethodNotFound",
    "MissingOption",
    "MissingToolResult",
    "PairingFailed",
    "ParseError",
    "PatchError",
    "ProtocolError",
    "Refused",
    "RemoteError",
    "RequestTooCostly",
    "ResponseIdMissing",
    "ResponseNotStored",
    "ResultFormRequired",
    "SealInvalid",
    "SealUnsupported",
    "ServerToolResultNotAllowed",
    "StreamError",
    "StreamExists",
    "StreamFinished",
    "StreamNotFound",
    "SystemPlacement",
    "ThreadUnsupportedRequest",
    "Timeout",
    "TooDeep",
    "TooManyValues",
    "ToolNameConflict",
    "TrailingBytes",
    "TransportError",
    "TurnNotFinished",
    "TurnkeeperError",
    "UnknownToolUseId",
    "UnsafeHistory",
    "UnsupportedOption",
    "UnsupportedProtocol",
    "UnsupportedServerTool",
]


class InvalidRequest(errors_base.RemoteError):
    """Not a JSON-RPC 2.0 request."""

    NAME = "invalid_request"
    CODE = -32600


class MethodNotFound(errors_base.RemoteError):
    """There is no such method here."""

    NAME = "method_not_found"
    CODE = -32601


class InternalError(errors_base.RemoteError):
    """A defect of turnkeeper, please report it."""

    NAME = "internal"
    CODE = -32603


class FrameTooLarge(errors_base.RemoteError):
    """The request is larger than max_frame."""

    NAME = "frame_too_large"
    CODE = -32010


class Busy(errors_base.RemoteError):
    """Too much work at once; nothing was consumed."""

    NAME = "busy"
    CODE = -32011
    RETRYABLE = True


class Draining(errors_base.RemoteError):
    """The daemon is shutting down."""

    NAME = "draining"
    CODE = -32012
    RETRYABLE = True


class DeadlineExceeded(errors_base.RemoteError):
    """The request's time is over."""

    NAME = "deadline_exceeded"
    CODE = -32013
    RETRYABLE = True


class AnswerTooLarge(errors_base.RemoteError):
    """The answer would be larger than max_answer."""

    NAME = "answer_too_large"
    CODE = -32014


class CodecUnknown(errors_base.ParseError):
    """The payload begins like neither JSON nor msgpack."""

    NAME = "codec_unknown"


class DuplicateKey(errors_base.ParseError):
    """An object has a key twice."""

    NAME = "duplicate_key"


class TooDeep(errors_base.ParseError):
    """Arrays and objects are nested too deeply."""

    NAME = "too_deep"


class TooManyValues(errors_base.ParseError):
    """The document holds too many values."""

    NAME = "too_many_values"


class TrailingBytes(errors_base.ParseError):
    """Bytes follow the document."""

    NAME = "trailing_bytes"


class SealUnsupported(errors_base.Refused):
    """A seal is of a version or algorithm that this build lacks."""

    NAME = "seal_unsupported"


class SealInvalid(errors_base.Refused):
    """A seal contradicts itself."""

    NAME = "seal_invalid"


class StreamNotFound(errors_base.StreamError):
    """No stream with that key is open on this connection."""

    NAME = "stream_not_found"


class StreamExists(errors_base.StreamError):
    """A stream with that key is already open on this connection."""

    NAME = "stream_exists"


class StreamFinished(errors_base.StreamError):
    """The stream has ended; stream.end returns its outcome."""

    NAME = "stream_finished"


class ThreadUnsupportedRequest(errors_base.Refused):
    """The request continues a thread that the provider keeps."""

    NAME = "thread_unsupported_request"


class AssistantConflict(errors_base.Refused):
    """An appended assistant message leaves a call open."""

    NAME = "assistant_conflict"


class MissingToolResult(errors_base.Refused):
    """A call has no result."""

    NAME = "missing_tool_result"


class ServerToolResultNotAllowed(errors_base.Refused):
    """Only the provider may answer this call."""

    NAME = "server_tool_result_not_allowed"


class UnknownToolUseId(errors_base.Refused):
    """A result whose call doesn't exist."""

    NAME = "unknown_tool_use_id"


class SystemPlacement(errors_base.Refused):
    """No user message precedes this system message."""

    NAME = "system_placement"


class EmptyMessage(errors_base.Refused):
    """A message without content."""

    NAME = "empty_message"


class TurnNotFinished(errors_base.Refused):
    """The model still works on this turn."""

    NAME = "turn_not_finished"


class ResultFormRequired(errors_base.Refused):
    """The result of such a call needs the provider's own form."""

    NAME = "result_form_required"


class ResponseIdMissing(errors_base.Refused):
    """The server has the history, and the response's id is missing."""

    NAME = "response_id_missing"


class ResponseNotStored(errors_base.Refused):
    """The server has the history, but didn't store this response."""

    NAME = "response_not_stored"


class ToolNameConflict(errors_base.Refused):
    """Two different tools have the same name."""

    NAME = "tool_name_conflict"


class IncompatibleTools(errors_base.Refused):
    """The provider refuses these tools together."""

    NAME = "incompatible_tools"


class BetaConflict(errors_base.Refused):
    """The provider refuses this beta value together with these tools."""

    NAME = "beta_conflict"


class UnsupportedServerTool(errors_base.Refused):
    """The provider has no such tool."""

    NAME = "unsupported_server_tool"


class MissingOption(errors_base.Refused):
    """The tool needs this option."""

    NAME = "missing_option"


class UnsupportedOption(errors_base.Refused):
    """The provider's tool has no such option."""

    NAME = "unsupported_option"


class BudgetUnreachable(errors_base.Refused):
    """What may be removed isn't enough for this budget."""

    NAME = "budget_unreachable"


class RequestTooCostly(AnswerTooLarge):
    """The request would make more in memory than max_memory allows."""

    NAME = "request_too_costly"
