/* SPDX-License-Identifier: Apache-2.0 */
/* The rows that table.h declares: first commands, then options. */
#include "cli/args/table.h"

#include "engine/target.h"
#include "providers/registry.h"
#include "shapes/shape.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* Make names of registered providers and shapes the values of an option; a blank precedes each. */
#define PROVIDER_WORD(id, name)       " " name
#define DIALECT_WORD(id, shape, name) " " name

#define BIT(id)   (1u << (id))
#define DOCUMENTS (BIT(CLI_VALIDATE) | BIT(CLI_REPAIR))
#define EXPLAIN   BIT(CLI_EXPLAIN)
#define JUDGING   (DOCUMENTS | EXPLAIN)
#define REDACT    BIT(CLI_REDACT)
#define SPLICE    BIT(CLI_SPLICE)
#define TOOLS     BIT(CLI_TOOLS)
#define PREPARE   BIT(CLI_PREPARE)
#define SEAL      BIT(CLI_SEAL)
#define CONTROL   (BIT(CLI_HEALTH) | BIT(CLI_STATS) | BIT(CLI_INFO) | BIT(CLI_PING))
#define STREAM    BIT(CLI_STREAM)
#define ASKING    (JUDGING | SPLICE | TOOLS | PREPARE | SEAL | CONTROL | BIT(CLI_CALL))
#define RULES     BIT(CLI_RULES)
#define LOCAL     (RULES | BIT(CLI_HELP))
#define ANY       (ASKING | STREAM | REDACT)

const struct cli_command cli_commands[CLI_COMMAND_COUNT] = {
    [CLI_VALIDATE] =
        {"validate", cli_cmd_validate, "[FILE|FOLDER|-]...", 0, INT_MAX, true, 2,
         "list every fault that the provider would refuse",
         "FILE holds a request body, a list of messages, one of these per line (JSONL), or one\n"
         "message per line. Findings go to stdout as FILE:/messages/3/content/1: error: TEXT [CODE];\n"
         "for JSONL the line's number follows FILE. A summary by code goes to stderr. FOLDER: every\n"
         "file in it, at any depth, that ends in .json, .jsonl or .ndjson.\n"
         "\n"
         "The more is given, the more is found: the whole body instead of its messages, --target,\n"
         "--betas, --seals. \"turnkeeper rules\" says what each rule is judged from, and what only\n"
         "the provider can know.\n"
         "\n"
         "Exit status: 0 valid, 1 errors found, 2 unreadable input, usage or no daemon."},
    [CLI_REPAIR] =
        {"repair", cli_cmd_repair, "[FILE|-]...", 0, INT_MAX, true, 2,
         "make a history acceptable with the fewest edits",
         "The repaired document goes to stdout in the form of the input; what isn't edited keeps\n"
         "its bytes. The edits and the findings that remain go to stderr. If no allowed edit\n"
         "makes the history safe, nothing is written; a line of JSONL is passed on unchanged.\n"
         "\n"
         "Exit status: 0 safe, 1 errors remain, 2 unreadable input, usage or no daemon."},
    [CLI_SPLICE] =
        {"splice", cli_cmd_splice, "[FILE|-]", 0, 1, true, 2,
         "append a turn, its results and messages to a history",
         "FILE holds what was sent to get the turn: a request body or a list of messages. It\n"
         "goes to stdout with the turn, the results of its calls, and the appended messages, in\n"
         "an order that the provider accepts; the history keeps its bytes. The turn is the\n"
         "provider's response.\n"
         "What to do next (send or stop) and what was repaired goes to stderr.\n"
         "\n"
         "Exit status: 0 send it, 3 send nothing, 1 refused, 2 unreadable input, usage or no\n"
         "daemon."},
    [CLI_TOOLS] =
        {"tools", cli_cmd_tools, "[FILE|-]", 0, 1, true, 2,
         "add tools to a request, name the beta values that it needs",
         "FILE holds a request body, a list of tools, or null. It goes to stdout with the tools\n"
         "that --add names; entries that aren't replaced keep their bytes. The changes and the\n"
         "beta values go to stderr; with --header only the header lines go to stdout.\n"
         "\n"
         "Exit status: 0 done, 1 refused, 2 unreadable input, usage or no daemon."},
    [CLI_PREPARE] =
        {"prepare", cli_cmd_prepare, "[FILE|-]", 0, 1, true, 2,
         "make a request ready to be sent: splice, tools and repair in one",
         "FILE holds a request body. It goes to stdout repaired, with the turn of --assistant,\n"
         "the results and messages after it, and the tools that --add names; what isn't edited\n"
         "keeps its bytes. The changes and the beta values go to stderr; with --header only the\n"
         "header lines go to stdout. If no allowed edit makes the history safe, nothing is\n"
         "written.\n"
         "\n"
         "Exit status: 0 send it, 3 send nothing, 1 refused or errors remain, 2 unreadable\n"
         "input, usage or no daemon."},
    [CLI_SEAL] =
        {"seal", cli_cmd_seal, "[FILE|-]", 0, 1, true, 2,
         "fingerprint an assistant turn, to prove later that it is unchanged, or to restore it",
         "FILE holds a turn as received: the response body, a message, or a list of blocks.\n"
         "Its seal goes to stdout as one line, an element of the list that --seals takes. Keep\n"
         "it as confidential as the history: short texts can be guessed from it.\n"
         "\n"
         "Exit status: 0 sealed, 1 refused, 2 unreadable input, usage or no daemon."},
    [CLI_STREAM] =
        {"stream", cli_cmd_stream, "", 0, 0, false, 2,
         "filter a provider's stream, so that no call leaves without its result",
         "Reads the body of an answer on stdin and writes its events to stdout as they come:\n"
         "curl -N ... | turnkeeper stream --provider openai-chat. The call of a tool that the\n"
         "provider runs itself is held back until its result arrives, and both are written\n"
         "together. A stream that is cut off or malformed ends with one error event, which is\n"
         "also reported on stderr.\n"
         "\n"
         "Exit status: 0 done, 1 failed, 75 failed but can be retried, 2 usage or no\n"
         "daemon."},
    [CLI_RULES] =
        {"rules", cli_cmd_rules, "[CODE]", 0, 1, false, 2,
         "explain a rule: what it looks for and how repair fixes it",
         "Prints one rule, or all: what it looks for, what it is judged from if the messages\n"
         "alone don't show it, what the provider answers, and what repair does under each\n"
         "policy. Refusals that only the provider can know come last. Needs no daemon.\n"
         "\n"
         "Exit status: 0 printed, 1 no rule has that code, 2 usage."},
    [CLI_EXPLAIN] =
        {"explain", cli_cmd_explain, "TEXT|- [FILE|-]", 1, 2, false, 2,
         "name the rule that a provider's refusal belongs to",
         "TEXT is the provider's error, or - for stdin: its message, its JSON body, or what an SDK, a\n"
         "gateway or a log made of these. Prints the rules with these words, best first: the fault,\n"
         "the place that the words point at, what repair does, and what you can do.\n"
         "\n"
         "FILE holds what was sent: then the findings there that fit are printed, too; or those at\n"
         "the place, if the fault there is another one; and what repair makes of it. Rules of the\n"
         "provider whose history it is come first. Options about histories are about FILE.\n"
         "\n"
         "Exit status: 0 found, 1 no rule has these words, 2 unreadable input, usage or no daemon."},
    [CLI_REDACT] =
        {"redact", cli_cmd_redact, "[FILE|-]", 0, 1, true, 2,
         "replace all that was said in a history, for a bug report",
         "FILE is as for validate. It goes to stdout with every text, name, input, output, id and\n"
         "signature replaced by others of the same length and kind, the same ones everywhere in the\n"
         "file, so that validate says the same of it. White space, punctuation and the protocol's own\n"
         "words stay: read it before you publish it. Two runs replace differently.\n"
         "\n"
         "A line of JSONL that can't be read becomes an empty one.\n"
         "\n"
         "Exit status: 0 done, 2 unreadable input, usage or no daemon."},
    [CLI_HEALTH] =
        {"health", cli_cmd_health, "", 0, 0, false, 3, "check the daemon, as a monitoring plugin",
         "Asks the control socket and prints one line TURNKEEPER OK - ... | perfdata.\n"
         "\n"
         "Exit status: 0 ok, 1 degraded or draining, 2 no connection, timeout or protocol\n"
         "error, 3 usage."},
    [CLI_STATS] =
        {"stats", cli_cmd_stats, "", 0, 0, false, 2, "print the daemon's counters",
         "Asks the control socket and prints the result as JSON, or with --format as the\n"
         "text that Prometheus reads, for the textfile collector of its node_exporter.\n"
         "\n"
         "Exit status: 0 answered, 1 answered with an error, 2 usage or no daemon."},
    [CLI_INFO] = {"info", cli_cmd_query, "", 0, 0, false, 2,
                  "print what the daemon serves: methods, rules, limits",
                  "Asks the control socket and prints the result as JSON.\n"
                  "\n"
                  "Exit status: 0 answered, 1 answered with an error, 2 usage or no daemon."},
    [CLI_PING] = {"ping", cli_cmd_query, "", 0, 0, false, 2, "check that the daemon answers",
                  "Asks the control socket and prints the result as JSON.\n"
                  "\n"
                  "Exit status: 0 answered, 1 answered with an error, 2 usage or no daemon."},
    [CLI_CALL] =
        {"call", cli_cmd_call, "METHOD [PARAMS]", 1, 2, false, 2,
         "call a method of the daemon on its main socket",
         "PARAMS is JSON, @FILE, or - for stdin. The result goes to stdout, an error object\n"
         "to stderr.\n"
         "\n"
         "Exit status: 0 result, 1 error, 2 unreadable PARAMS, usage or no daemon."},
    [CLI_HELP] = {"help", cli_cmd_help, "[COMMAND]", 0, 1, false, 2, "print the help of a command",
                  "Prints what COMMAND --help prints; without COMMAND, the list of commands.\n"
                  "\n"
                  "Exit status: 0 printed, 2 usage."},
};

const struct cli_option cli_options[CLI_OPTION_COUNT] = {
    [CLI_OPT_DIALECT] =
        {
            .name = "dialect",
            .argument = "NAME",
            .commands = JUDGING | REDACT,
            .encoding = CLI_AS_STRING,
            .param = "dialect",
            .values = &(TK_SHAPES(DIALECT_WORD))[1],
            .help = "format of the messages [found out, else anthropic]",
        },
    [CLI_OPT_POLICY] =
        {
            .name = "policy",
            .argument = "NAME|JSON",
            .commands = JUDGING | STREAM | PREPARE,
            .encoding = CLI_AS_JSON_OR_STRING,
            .param = "policy",
            .values = "conservative preserve",
            .help = "policy by name, or as an object (JSON or @FILE) [conservative]",
        },
    [CLI_OPT_TARGET] =
        {
            .name = "target",
            .argument = "TARGET",
            .commands = JUDGING | TOOLS | SPLICE | PREPARE,
            .encoding = CLI_AS_TARGET,
            .param = "target",
            .values = "anthropic bedrock vertex compatible openai azure gemini",
            .other = {{TOOLS, "anthropic bedrock vertex compatible"}},
            .help = "where the request will be sent: ENDPOINT[:MODEL], or an object",
        },
    [CLI_OPT_MODEL] =
        {
            .name = "model",
            .argument = "NAME",
            .commands = JUDGING | TOOLS | SPLICE | PREPARE,
            .encoding = CLI_AS_STRING,
            .param = "target/model",
            .help = "the model that the request is for [the request's own]",
        },
    [CLI_OPT_SERVER] =
        {
            .name = "server",
            .argument = "NAME",
            .commands = JUDGING | SPLICE | PREPARE,
            .encoding = CLI_AS_STRING,
            .param = "target/server",
            .values = &(TK_SERVERS(PROVIDER_WORD))[1],
            .help = "the server of target compatible, if it is a known one",
        },
    [CLI_OPT_PROVIDER] =
        {
            .name = "provider",
            .argument = "NAME",
            .commands = JUDGING | TOOLS | STREAM | SPLICE | PREPARE | BIT(CLI_CALL) | REDACT,
            .encoding = CLI_AS_STRING,
            .param = "provider",
            .values = &(TK_JUDGED_PROVIDERS(PROVIDER_WORD))[1],
            .other = {{TOOLS, &(TK_MERGED_PROVIDERS(PROVIDER_WORD))[1]},
                      {STREAM, &(TK_STREAMED_PROVIDERS(PROVIDER_WORD))[1]}},
            .help = "provider whose rules apply [found out, else anthropic]",
        },
    [CLI_OPT_BETAS] =
        {
            .name = "betas",
            .argument = "LIST",
            .commands = JUDGING | TOOLS | PREPARE,
            .encoding = CLI_AS_JSON_OR_STRING,
            .param = "betas",
            .step = "tools",
            .help = "the values of the request's beta header: A,B or a JSON list",
        },
    [CLI_OPT_PROVENANCE] =
        {
            .name = "provenance",
            .argument = "WHAT",
            .commands = JUDGING | PREPARE,
            .encoding = CLI_AS_STRING,
            .param = "provenance",
            .values = "wire rebuilt",
            .help =
                "turns are stored as received (wire) or were rebuilt from parts (rebuilt) [wire]",
        },
    [CLI_OPT_SEALS] =
        {
            .name = "seals",
            .argument = "JSON",
            .commands = JUDGING | PREPARE,
            .encoding = CLI_AS_JSON,
            .param = "seals",
            .help = "seals of turns in this history: a JSON list or @FILE",
        },
    [CLI_OPT_MAX_VIOLATIONS] =
        {
            .name = "max-violations",
            .argument = "N",
            .commands = DOCUMENTS | PREPARE,
            .encoding = CLI_AS_NUMBER,
            .param = "max_violations",
            .max = UINT32_MAX,
            .help = "list at most N findings per document (all are counted) [256]",
        },
    [CLI_OPT_NO_GUARD] =
        {
            .name = "no-guard",
            .commands = BIT(CLI_REPAIR) | PREPARE,
            .encoding = CLI_AS_FALSE,
            .param = "guard",
            .help = "write the document even if errors remain",
        },
    [CLI_OPT_OUTPUT] =
        {
            .name = "output",
            .letter = 'o',
            .argument = "FILE",
            .commands = BIT(CLI_REPAIR) | SPLICE | TOOLS | PREPARE | SEAL | REDACT,
            .help = "write the document to FILE",
        },
    [CLI_OPT_IN_PLACE] =
        {
            .name = "in-place",
            .letter = 'i',
            .commands = BIT(CLI_REPAIR),
            .help = "replace the input file atomically; keep the original as FILE.orig",
        },
    [CLI_OPT_NO_BACKUP] =
        {
            .name = "no-backup",
            .commands = BIT(CLI_REPAIR),
            .help = "keep no original when the input file is replaced",
        },
    [CLI_OPT_CHECK] =
        {
            .name = "check",
            .commands = BIT(CLI_REPAIR),
            .help = "write nothing; exit 1 if something would change",
        },
    [CLI_OPT_DIFF] =
        {
            .name = "diff",
            .commands = BIT(CLI_REPAIR),
            .help = "print the edit as a unified diff instead of the document",
        },
    [CLI_OPT_JSONL] =
        {
            .name = "jsonl",
            .commands = JUDGING | REDACT,
            .help = "read one document per line (detected for two lines or more)",
        },
    [CLI_OPT_AT] =
        {
            .name = "at",
            .argument = "POINTER",
            .commands = JUDGING | REDACT,
            .encoding = CLI_AS_STRING,
            .param = "at",
            .help = "JSON pointer to the history in a larger document",
        },
    [CLI_OPT_ASSISTANT] =
        {
            .name = "assistant",
            .argument = "JSON",
            .commands = SPLICE | PREPARE,
            .encoding = CLI_AS_JSON,
            .param = "assistant",
            .step = "splice",
            .help = "the turn as received: the response body, JSON or @FILE",
        },
    [CLI_OPT_TOOL_RESULTS] =
        {
            .name = "tool-results",
            .argument = "JSON",
            .commands = SPLICE | PREPARE,
            .encoding = CLI_AS_JSON,
            .param = "tool_results",
            .step = "splice",
            .help = "the results of the client's tools: a JSON list or @FILE",
        },
    [CLI_OPT_APPENDED] =
        {
            .name = "appended",
            .argument = "JSON",
            .commands = SPLICE | PREPARE,
            .encoding = CLI_AS_JSON,
            .param = "appended",
            .step = "splice",
            .help = "messages to append after the turn: a JSON list or @FILE",
        },
    [CLI_OPT_CONTAINER] =
        {
            .name = "container",
            .argument = "ID",
            .commands = SPLICE | PREPARE,
            .encoding = CLI_AS_STRING,
            .param = "container",
            .step = "splice",
            .help = "id of the code execution container to use again",
        },
    [CLI_OPT_MODE] =
        {
            .name = "mode",
            .argument = "MODE",
            .commands = SPLICE | PREPARE,
            .encoding = CLI_AS_STRING,
            .param = "options/mode",
            .step = "splice",
            .values = "repair strict",
            .help = "repair what can be repaired, or refuse (strict) [repair]",
        },
    [CLI_OPT_MERGE] =
        {
            .name = "merge",
            .argument = "HOW",
            .commands = SPLICE | PREPARE,
            .encoding = CLI_AS_STRING,
            .param = "options/merge",
            .step = "splice",
            .values = "separate single",
            .help = "keep neighbouring user messages separate, or join them [separate]",
        },
    [CLI_OPT_ON_ASSISTANT_CONFLICT] =
        {
            .name = "on-assistant-conflict",
            .argument = "WHAT",
            .commands = SPLICE | PREPARE,
            .encoding = CLI_AS_STRING,
            .param = "options/on_assistant_conflict",
            .step = "splice",
            .values = "error replace",
            .help = "what to do with an appended assistant message that replaces the turn [error]",
        },
    [CLI_OPT_COMPACTION] =
        {
            .name = "compaction",
            .argument = "WHAT",
            .commands = SPLICE | PREPARE,
            .encoding = CLI_AS_STRING,
            .param = "options/compaction",
            .step = "splice",
            .values = "keep replace",
            .help = "what to do with the history before a compaction turn [keep]",
        },
    [CLI_OPT_CHOICE] =
        {
            .name = "choice",
            .argument = "N",
            .commands = SPLICE | PREPARE,
            .encoding = CLI_AS_NUMBER,
            .param = "options/choice",
            .step = "splice",
            .max = UINT32_MAX,
            .help = "which choice or candidate of the response is the turn [0]",
        },
    [CLI_OPT_STATE] =
        {
            .name = "state",
            .argument = "WHAT",
            .commands = SPLICE | PREPARE,
            .encoding = CLI_AS_STRING,
            .param = "options/state",
            .step = "splice",
            .values = "auto chain",
            .help = "the request says if the server has the history, or it has it (chain) [auto]",
        },
    [CLI_OPT_DEFERRED] =
        {
            .name = "deferred",
            .argument = "FILE",
            .commands = SPLICE | PREPARE,
            .help = "write the messages that have to wait to FILE, as a list",
        },
    [CLI_OPT_ADD] =
        {
            .name = "add",
            .argument = "LIST",
            .commands = TOOLS | PREPARE,
            .encoding = CLI_AS_NAMES,
            .param = "add",
            .step = "tools",
            .help = "tools to add: short names A,B, or a JSON list of entries and names",
        },
    [CLI_OPT_ON_CONFLICT] =
        {
            .name = "on-conflict",
            .argument = "WHICH",
            .commands = TOOLS | PREPARE,
            .encoding = CLI_AS_STRING,
            .param = "on_conflict",
            .step = "tools",
            .values = "replace newest keep_base replace_custom",
            .help = "which of two entries for the same tool is kept [replace]",
        },
    [CLI_OPT_CALL] =
        {
            .name = "call",
            .argument = "WHAT",
            .commands = TOOLS | PREPARE,
            .encoding = CLI_AS_STRING,
            .param = "call",
            .step = "tools",
            .values = "messages count_tokens",
            .help = "the API method that the request is for [messages]",
        },
    [CLI_OPT_INTERLEAVED] =
        {
            .name = "interleaved",
            .commands = TOOLS | PREPARE,
            .encoding = CLI_AS_TRUE,
            .param = "interleaved",
            .step = "tools",
            .help = "ask for thinking between tool calls",
        },
    [CLI_OPT_LEGACY_BETAS] =
        {
            .name = "legacy-betas",
            .commands = TOOLS | PREPARE,
            .encoding = CLI_AS_TRUE,
            .param = "legacy_betas",
            .step = "tools",
            .help = "include the beta values that web tools needed in the past",
        },
    [CLI_OPT_HEADER] =
        {
            .name = "header",
            .commands = TOOLS | PREPARE,
            .help = "print the header lines that the request needs",
        },
    [CLI_OPT_REQUEST] =
        {
            .name = "request",
            .argument = "JSON",
            .commands = SEAL,
            .encoding = CLI_AS_JSON,
            .param = "request",
            .help = "the request body that this turn answers: JSON or @FILE",
        },
    [CLI_OPT_BLOCKS] =
        {
            .name = "blocks",
            .commands = SEAL,
            .encoding = CLI_AS_TRUE,
            .param = "blocks",
            .help = "include the blocks, so that they can be restored",
        },
    [CLI_OPT_WIRE] =
        {
            .name = "wire",
            .argument = "FRAMING",
            .commands = STREAM,
            .encoding = CLI_AS_STRING,
            .param = "wire",
            .values = "sse eventstream json",
            .help = "how the bytes are framed [sse; bedrock: eventstream]",
        },
    [CLI_OPT_EMIT] =
        {
            .name = "emit",
            .argument = "FORM",
            .commands = STREAM,
            .encoding = CLI_AS_STRING,
            .param = "emit",
            .values = "wire sse events parts",
            .help =
                "write bytes, or JSON lines of events or parts [wire: bytes framed as they came]",
        },
    [CLI_OPT_PROVIDER_INPUT] =
        {
            .name = "provider-input",
            .argument = "HOW",
            .commands = STREAM,
            .encoding = CLI_AS_STRING,
            .param = "provider_input",
            .values = "whole deltas",
            .help = "send the input of a provider's call whole or in deltas [whole]",
        },
    [CLI_OPT_HISTORY] =
        {
            .name = "history",
            .argument = "FILE",
            .commands = STREAM,
            .encoding = CLI_AS_MESSAGES,
            .param = "history",
            .help = "the messages sent with the request: a list or the body",
        },
    [CLI_OPT_MESSAGE] =
        {
            .name = "message",
            .argument = "FILE",
            .commands = STREAM,
            .help = "write the assembled message to FILE when the stream is done",
        },
    [CLI_OPT_TURN] =
        {
            .name = "turn",
            .argument = "FILE",
            .commands = STREAM,
            .help = "write to FILE what can be stored, also when the stream failed",
        },
    [CLI_OPT_FORMAT] =
        {
            .name = "format",
            .argument = "FORMAT",
            .commands = BIT(CLI_STATS),
            .values = "json prometheus openmetrics",
            .help = "counters as json, or as a text that Prometheus reads [json]",
        },
    [CLI_OPT_MAX_DOCUMENT] =
        {
            .name = "max-document",
            .argument = "BYTES",
            .commands = JUDGING | SPLICE | TOOLS | PREPARE | SEAL | REDACT,
            .min = 1,
            .max = 1ull << 30,
            .help = "largest document or line to read [1073741824]",
        },
    [CLI_OPT_SOCKET] =
        {
            .name = "socket",
            .argument = "PATH",
            .commands = ANY,
            .help = "do the work in the daemon, over its main socket PATH",
        },
    [CLI_OPT_DAEMON] =
        {
            .name = "daemon",
            .commands = JUDGING | SPLICE | TOOLS | STREAM | PREPARE | SEAL | REDACT,
            .help = "do the work in the daemon, over its default socket",
        },
    [CLI_OPT_TIMEOUT_MS] =
        {
            .name = "timeout-ms",
            .argument = "N",
            .commands = ANY,
            .encoding = CLI_AS_NUMBER,
            .param = "timeout_ms",
            .min = 1,
            .max = UINT32_MAX,
            .help = "give up after N milliseconds",
        },
    [CLI_OPT_JSON] =
        {
            .name = "json",
            .commands = ASKING,
            .help = "print the result object, one per line",
        },
    [CLI_OPT_MAN] =
        {
            .name = "man",
            .commands = RULES,
            .help = "print all rules as a man page",
        },
    [CLI_OPT_COLOR] =
        {
            .name = "color",
            .argument = "WHEN",
            .commands = (ASKING & ~BIT(CLI_HEALTH)) | REDACT,
            .values = "auto always never",
            .help = "colour: auto (on a terminal), always or never [auto]",
        },
    [CLI_OPT_VERBOSE] =
        {
            .name = "verbose",
            .letter = 'v',
            .commands = JUDGING | PREPARE,
            .help = "also print what the provider would have answered",
        },
    [CLI_OPT_QUIET] =
        {
            .name = "quiet",
            .letter = 'q',
            .commands = DOCUMENTS | SPLICE | TOOLS | PREPARE | SEAL | REDACT,
            .help = "print no view of the edits, no summary, no progress bar",
        },
    [CLI_OPT_HELP] =
        {
            .name = "help",
            .letter = 'h',
            .commands = ANY | LOCAL,
            .help = "print this help",
        },
    [CLI_OPT_VERSION] =
        {
            .name = "version",
            .letter = 'V',
            .commands = ANY | LOCAL,
            .help = "print the version",
        },
};
