/* SPDX-License-Identifier: Apache-2.0 */
/* The rows behind table.h. */
#include "cli/args/table.h"

#include "providers/registry.h"

#include <stddef.h>
#include <stdint.h>

/* Rows of the registry as words of an option, each with a blank before it. */
#define PROVIDER_WORD(id, name) " " name

#define BIT(id)   (1u << (id))
#define DOCUMENTS (BIT(CLI_VALIDATE) | BIT(CLI_REPAIR))
#define SPLICE    BIT(CLI_SPLICE)
#define TOOLS     BIT(CLI_TOOLS)
#define PREPARE   BIT(CLI_PREPARE)
#define SEAL      BIT(CLI_SEAL)
#define CONTROL   (BIT(CLI_HEALTH) | BIT(CLI_STATS) | BIT(CLI_INFO) | BIT(CLI_PING))
#define STREAM    BIT(CLI_STREAM)
#define ASKING    (DOCUMENTS | SPLICE | TOOLS | PREPARE | SEAL | CONTROL | BIT(CLI_CALL))
#define LOCAL     BIT(CLI_RULES)
#define ANY       (ASKING | STREAM)

const struct cli_command cli_commands[CLI_COMMAND_COUNT] = {
    [CLI_VALIDATE] =
        {"validate", cli_cmd_validate, "FILE|-", 1, 1, 2, "list all that this release finds wrong",
         "FILE holds a request body, a list of messages, or one of them a line (JSONL).\n"
         "Findings go to stdout as FILE:/messages/3/content/1: error: TEXT [CODE], with the\n"
         "line in front of the place for JSONL. A summary by code goes to stderr.\n"
         "\n"
         "Exit status: 0 valid, 1 errors found, 2 unreadable input, usage or no daemon."},
    [CLI_REPAIR] =
        {"repair", cli_cmd_repair, "FILE|-", 1, 1, 2,
         "make a history acceptable with the fewest edits",
         "The repaired document goes to stdout in the form of the input, what nobody edited\n"
         "byte for byte; what was edited and what remains goes to stderr. Where no allowed\n"
         "edit helps, nothing is written; a line of JSONL is then passed on unchanged.\n"
         "\n"
         "Exit status: 0 safe, 1 errors remain, 2 unreadable input, usage or no daemon."},
    [CLI_SPLICE] =
        {"splice", cli_cmd_splice, "FILE|-", 1, 1, 2,
         "put a turn, its results and messages behind a history",
         "FILE holds what was sent to get the turn: a request body or a list of messages. It\n"
         "goes to stdout with the turn, one message with the results of its calls, and the\n"
         "appended messages, in the order that the provider takes; the history byte for byte.\n"
         "What is to be done, and what was mended, goes to stderr.\n"
         "\n"
         "Exit status: 0 send it, 3 send nothing, 1 refused, 2 unreadable input, usage or no\n"
         "daemon."},
    [CLI_TOOLS] =
        {"tools", cli_cmd_tools, "FILE|-", 1, 1, 2,
         "add tools to a request, name the beta values that it needs",
         "FILE holds a request body, a list of tools, or null. It goes to stdout with what\n"
         "--add names; entries that aren't replaced byte for byte. What was done and the beta\n"
         "values go to stderr; with --header the header lines go to stdout instead.\n"
         "\n"
         "Exit status: 0 done, 1 refused, 2 unreadable input, usage or no daemon."},
    [CLI_PREPARE] =
        {"prepare", cli_cmd_prepare, "FILE|-", 1, 1, 2,
         "make a request ready to be sent: splice, tools and repair in one",
         "FILE holds a request body. It goes to stdout with the turn that --assistant names and\n"
         "what belongs behind it, the tools that --add names, and repaired; what nobody edited\n"
         "byte for byte. What was done, edits and beta values go to stderr; with --header the\n"
         "header lines go to stdout instead. Where no allowed edit helps, nothing is written.\n"
         "\n"
         "Exit status: 0 send it, 3 send nothing, 1 refused or errors remain, 2 unreadable\n"
         "input, usage or no daemon."},
    [CLI_SEAL] =
        {"seal", cli_cmd_seal, "FILE|-", 1, 1, 2,
         "fingerprint an assistant turn, so that it can be proven or restored",
         "FILE holds a turn as received: the response body, a message, or a list of blocks.\n"
         "Its seal goes to stdout, one line, an element of the list that --seals takes. Keep it\n"
         "as carefully as the history: short texts can be guessed from it.\n"
         "\n"
         "Exit status: 0 sealed, 1 refused, 2 unreadable input, usage or no daemon."},
    [CLI_STREAM] =
        {"stream", cli_cmd_stream, "", 0, 0, 2,
         "filter a provider's stream, so that no half of a tool run leaves",
         "Reads server-sent events on stdin and writes them to stdout as they come:\n"
         "curl -N ... | turnkeeper stream. The call of a tool that the provider runs itself is\n"
         "held back until its result can leave with it; a stream that breaks its promises\n"
         "ends with one error. What went wrong also goes to stderr.\n"
         "\n"
         "Exit status: 0 done, 1 failed, 75 failed but worth another try, 2 usage or no\n"
         "daemon."},
    [CLI_RULES] =
        {"rules", cli_cmd_rules, "[CODE]", 0, 1, 2,
         "say what a rule looks for and how it is mended",
         "Prints the rule, or all of them: what it looks for, what the provider answers, and\n"
         "what repair does under each policy. No daemon is asked.\n"
         "\n"
         "Exit status: 0 printed, 1 no rule has that code, 2 usage."},
    [CLI_HEALTH] =
        {"health", cli_cmd_health, "", 0, 0, 3, "check the daemon, as a monitoring plugin",
         "Asks the control socket and prints one line TURNKEEPER OK - ... | perfdata.\n"
         "\n"
         "Exit status: 0 ok, 1 degraded or draining, 2 no connection, timeout or protocol\n"
         "error, 3 usage."},
    [CLI_STATS] = {"stats", cli_cmd_query, "", 0, 0, 2, "print the daemon's counters",
                   "Asks the control socket and prints the result as JSON.\n"
                   "\n"
                   "Exit status: 0 answered, 1 answered with an error, 2 usage or no daemon."},
    [CLI_INFO] = {"info", cli_cmd_query, "", 0, 0, 2,
                  "print what the daemon serves: methods, rules, limits",
                  "Asks the control socket and prints the result as JSON.\n"
                  "\n"
                  "Exit status: 0 answered, 1 answered with an error, 2 usage or no daemon."},
    [CLI_PING] = {"ping", cli_cmd_query, "", 0, 0, 2, "see whether the daemon answers",
                  "Asks the control socket and prints the result as JSON.\n"
                  "\n"
                  "Exit status: 0 answered, 1 answered with an error, 2 usage or no daemon."},
    [CLI_CALL] =
        {"call", cli_cmd_call, "METHOD [PARAMS]", 1, 2, 2,
         "call a method of the daemon on its main socket",
         "PARAMS is JSON, @FILE, or - for stdin. The result goes to stdout, an error object\n"
         "to stderr.\n"
         "\n"
         "Exit status: 0 result, 1 error, 2 unreadable PARAMS, usage or no daemon."},
};

const struct cli_option cli_options[CLI_OPTION_COUNT] = {
    [CLI_OPT_DIALECT] = {"dialect", 0, "NAME", DOCUMENTS, CLI_AS_STRING, "dialect", NULL,
                         "anthropic fantasy ai-sdk", 0, 0, "shape of the messages [anthropic]"},
    [CLI_OPT_POLICY] = {"policy", 0, "NAME|JSON", DOCUMENTS | STREAM | PREPARE,
                        CLI_AS_JSON_OR_STRING, "policy", NULL, "conservative preserve", 0, 0,
                        "policy by name, or as an object (JSON or @FILE) [conservative]"},
    [CLI_OPT_TARGET] = {"target", 0, "TARGET", DOCUMENTS | TOOLS | PREPARE, CLI_AS_TARGET, "target",
                        NULL, "anthropic bedrock vertex compatible", 0, 0,
                        "where it will be sent: ENDPOINT[:MODEL], or an object"},
    [CLI_OPT_PROVIDER] = {"provider", 0, "NAME", DOCUMENTS | TOOLS | STREAM | PREPARE,
                          CLI_AS_STRING, "provider", NULL, &(TK_PROVIDERS(PROVIDER_WORD))[1], 0, 0,
                          "whose rules; but for tools there is one so far [anthropic]"},
    [CLI_OPT_BETAS] = {"betas", 0, "LIST", DOCUMENTS | TOOLS | PREPARE, CLI_AS_JSON_OR_STRING,
                       "betas", "tools", NULL, 0, 0,
                       "the request's beta header values: A,B or a JSON list"},
    [CLI_OPT_PROVENANCE] = {"provenance", 0, "WHAT", DOCUMENTS | PREPARE, CLI_AS_STRING,
                            "provenance", NULL, "wire rebuilt", 0, 0,
                            "whether turns stand as received or were put together again [wire]"},
    [CLI_OPT_SEALS] = {"seals", 0, "JSON", DOCUMENTS | PREPARE, CLI_AS_JSON, "seals", NULL, NULL, 0,
                       0, "seals of turns in this history: a JSON list or @FILE"},
    [CLI_OPT_MAX_VIOLATIONS] = {"max-violations", 0, "N", DOCUMENTS | PREPARE, CLI_AS_NUMBER,
                                "max_violations", NULL, NULL, 0, UINT32_MAX,
                                "list at most N findings a document (all are counted) [256]"},
    [CLI_OPT_NO_GUARD] = {"no-guard", 0, NULL, BIT(CLI_REPAIR) | PREPARE, CLI_AS_FALSE, "guard",
                          NULL, NULL, 0, 0, "write the document even where errors remain"},
    [CLI_OPT_OUTPUT] = {"output", 'o', "FILE", BIT(CLI_REPAIR) | SPLICE | TOOLS | PREPARE | SEAL,
                        CLI_NOT_SENT, NULL, NULL, NULL, 0, 0, "write the document to FILE"},
    [CLI_OPT_IN_PLACE] = {"in-place", 'i', NULL, BIT(CLI_REPAIR), CLI_NOT_SENT, NULL, NULL, NULL, 0,
                          0, "replace the input file, atomically; the original stays as FILE.orig"},
    [CLI_OPT_NO_BACKUP] = {"no-backup", 0, NULL, BIT(CLI_REPAIR), CLI_NOT_SENT, NULL, NULL, NULL, 0,
                           0, "keep no original when the input file is replaced"},
    [CLI_OPT_JSONL] = {"jsonl", 0, NULL, DOCUMENTS, CLI_NOT_SENT, NULL, NULL, NULL, 0, 0,
                       "one document a line (found out by itself from two lines on)"},
    [CLI_OPT_ASSISTANT] = {"assistant", 0, "JSON", SPLICE | PREPARE, CLI_AS_JSON, "assistant",
                           "splice", NULL, 0, 0,
                           "the turn as received: the response body, JSON or @FILE"},
    [CLI_OPT_TOOL_RESULTS] = {"tool-results", 0, "JSON", SPLICE | PREPARE, CLI_AS_JSON,
                              "tool_results", "splice", NULL, 0, 0,
                              "the runner's results: a JSON list or @FILE"},
    [CLI_OPT_APPENDED] = {"appended", 0, "JSON", SPLICE | PREPARE, CLI_AS_JSON, "appended",
                          "splice", NULL, 0, 0, "the caller's messages: a JSON list or @FILE"},
    [CLI_OPT_CONTAINER] = {"container", 0, "ID", SPLICE | PREPARE, CLI_AS_STRING, "container",
                           "splice", NULL, 0, 0, "the container that is pinned"},
    [CLI_OPT_MODE] = {"mode", 0, "MODE", SPLICE | PREPARE, CLI_AS_STRING, "options/mode", "splice",
                      "repair strict", 0, 0,
                      "mend, or refuse instead of filling and dropping [repair]"},
    [CLI_OPT_MERGE] = {"merge", 0, "HOW", SPLICE | PREPARE, CLI_AS_STRING, "options/merge",
                       "splice", "separate single", 0, 0,
                       "whether neighbouring user messages become one [separate]"},
    [CLI_OPT_ON_ASSISTANT_CONFLICT] = {"on-assistant-conflict", 0, "WHAT", SPLICE | PREPARE,
                                       CLI_AS_STRING, "options/on_assistant_conflict", "splice",
                                       "error replace", 0, 0,
                                       "an assistant message in the turn's place: [error]"},
    [CLI_OPT_COMPACTION] = {"compaction", 0, "WHAT", SPLICE | PREPARE, CLI_AS_STRING,
                            "options/compaction", "splice", "keep replace", 0, 0,
                            "the history before a compaction turn: [keep]"},
    [CLI_OPT_DEFERRED] = {"deferred", 0, "FILE", SPLICE | PREPARE, CLI_NOT_SENT, NULL, NULL, NULL,
                          0, 0, "write the messages that have to wait to FILE, a list"},
    [CLI_OPT_ADD] = {"add", 0, "LIST", TOOLS | PREPARE, CLI_AS_NAMES, "add", "tools", NULL, 0, 0,
                     "what to add: wishes A,B, or a JSON list of entries and wishes"},
    [CLI_OPT_ON_CONFLICT] = {"on-conflict", 0, "WHICH", TOOLS | PREPARE, CLI_AS_STRING,
                             "on_conflict", "tools", "replace newest keep_base replace_custom", 0,
                             0, "which of two entries of one tool holds [replace]"},
    [CLI_OPT_CALL] = {"call", 0, "WHAT", TOOLS | PREPARE, CLI_AS_STRING, "call", "tools",
                      "messages count_tokens", 0, 0, "what the request asks for [messages]"},
    [CLI_OPT_INTERLEAVED] = {"interleaved", 0, NULL, TOOLS | PREPARE, CLI_AS_TRUE, "interleaved",
                             "tools", NULL, 0, 0, "thinking between calls is wanted"},
    [CLI_OPT_LEGACY_BETAS] = {"legacy-betas", 0, NULL, TOOLS | PREPARE, CLI_AS_TRUE, "legacy_betas",
                              "tools", NULL, 0, 0, "also the values that web tools needed once"},
    [CLI_OPT_HEADER] = {"header", 0, NULL, TOOLS | PREPARE, CLI_NOT_SENT, NULL, NULL, NULL, 0, 0,
                        "print the header lines that the request needs"},
    [CLI_OPT_REQUEST] = {"request", 0, "JSON", SEAL, CLI_AS_JSON, "request", NULL, NULL, 0, 0,
                         "the body that got this turn as its answer: JSON or @FILE"},
    [CLI_OPT_BLOCKS] = {"blocks", 0, NULL, SEAL, CLI_AS_TRUE, "blocks", NULL, NULL, 0, 0,
                        "carry the blocks, so that they can be restored"},
    [CLI_OPT_EMIT] = {"emit", 0, "FORM", STREAM, CLI_AS_STRING, "emit", NULL, "sse events parts", 0,
                      0, "what leaves: sse, or JSON lines of events or parts [sse]"},
    [CLI_OPT_PROVIDER_INPUT] = {"provider-input", 0, "HOW", STREAM, CLI_AS_STRING, "provider_input",
                                NULL, "whole deltas", 0, 0,
                                "how the input of a provider's call leaves [whole]"},
    [CLI_OPT_HISTORY] = {"history", 0, "FILE", STREAM, CLI_AS_MESSAGES, "history", NULL, NULL, 0, 0,
                         "the messages sent with the request: a list or the body"},
    [CLI_OPT_MESSAGE] = {"message", 0, "FILE", STREAM, CLI_NOT_SENT, NULL, NULL, NULL, 0, 0,
                         "write the assembled turn to FILE when the stream is done"},
    [CLI_OPT_MAX_DOCUMENT] = {"max-document", 0, "BYTES",
                              DOCUMENTS | SPLICE | TOOLS | PREPARE | SEAL, CLI_NOT_SENT, NULL, NULL,
                              NULL, 1, 1ull << 30,
                              "largest document or line that is read [1073741824]"},
    [CLI_OPT_SOCKET] = {"socket", 0, "PATH", ANY, CLI_NOT_SENT, NULL, NULL, NULL, 0, 0,
                        "the daemon's main socket; the work is done there"},
    [CLI_OPT_DAEMON] = {"daemon", 0, NULL, DOCUMENTS | SPLICE | TOOLS | STREAM | PREPARE | SEAL,
                        CLI_NOT_SENT, NULL, NULL, NULL, 0, 0, "the same with the default socket"},
    [CLI_OPT_TIMEOUT_MS] = {"timeout-ms", 0, "N", ANY, CLI_AS_NUMBER, "timeout_ms", NULL, NULL, 1,
                            UINT32_MAX, "give up a request after N milliseconds"},
    [CLI_OPT_JSON] = {"json", 0, NULL, ASKING & ~BIT(CLI_REPAIR), CLI_NOT_SENT, NULL, NULL, NULL, 0,
                      0, "print the result object, one line each"},
    [CLI_OPT_MAN] = {"man", 0, NULL, LOCAL, CLI_NOT_SENT, NULL, NULL, NULL, 0, 0,
                     "print all rules as a man page"},
    [CLI_OPT_COLOR] = {"color", 0, "WHEN", ASKING & ~BIT(CLI_HEALTH), CLI_NOT_SENT, NULL, NULL,
                       "auto always never", 0, 0,
                       "colour: auto (on a terminal), always or never [auto]"},
    [CLI_OPT_VERBOSE] = {"verbose", 'v', NULL, DOCUMENTS | PREPARE, CLI_NOT_SENT, NULL, NULL, NULL,
                         0, 0, "say also what the provider would have answered"},
    [CLI_OPT_QUIET] = {"quiet", 'q', NULL, DOCUMENTS | SPLICE | TOOLS | PREPARE | SEAL,
                       CLI_NOT_SENT, NULL, NULL, NULL, 0, 0,
                       "no view of the edits, no summary, no progress bar"},
    [CLI_OPT_HELP] = {"help", 'h', NULL, ANY | LOCAL, CLI_NOT_SENT, NULL, NULL, NULL, 0, 0,
                      "print this help"},
    [CLI_OPT_VERSION] = {"version", 'V', NULL, ANY | LOCAL, CLI_NOT_SENT, NULL, NULL, NULL, 0, 0,
                         "print the version"},
};
