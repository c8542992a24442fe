/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands and options: one row each. Parsing, --help, usage errors, the parameters of a request
 * and the check of the shell completion read these rows.
 */
#ifndef TK_CLI_ARGS_TABLE_H
#define TK_CLI_ARGS_TABLE_H

#include <stdbool.h>

struct cli_args;

enum cli_command_id {
    CLI_VALIDATE,
    CLI_REPAIR,
    CLI_SPLICE,
    CLI_TOOLS,
    CLI_PREPARE,
    CLI_SEAL,
    CLI_STREAM,
    CLI_RULES,
    CLI_EXPLAIN,
    CLI_REDACT,
    CLI_HEALTH,
    CLI_STATS,
    CLI_INFO,
    CLI_PING,
    CLI_CALL,
    CLI_HELP,
    CLI_COMMAND_COUNT,
};

struct cli_command {
    const char *name;
    int (*run)(const struct cli_args *args); /* returns the exit status */
    const char *operands;                    /* as the usage line shows them */
    int min, max;                            /* how many of them */
    bool reads;                              /* they are documents; without any, stdin is read */
    int usage_exit;                          /* exit status of a usage error */
    const char *summary;                     /* one line */
    const char *details;                     /* a paragraph or two, with line breaks */
};

enum cli_option_id {
    CLI_OPT_DIALECT,
    CLI_OPT_POLICY,
    CLI_OPT_TARGET,
    CLI_OPT_MODEL,
    CLI_OPT_SERVER,
    CLI_OPT_PROVIDER,
    CLI_OPT_BETAS,
    CLI_OPT_PROVENANCE,
    CLI_OPT_SEALS,
    CLI_OPT_MAX_VIOLATIONS,
    CLI_OPT_NO_GUARD,
    CLI_OPT_OUTPUT,
    CLI_OPT_IN_PLACE,
    CLI_OPT_NO_BACKUP,
    CLI_OPT_CHECK,
    CLI_OPT_DIFF,
    CLI_OPT_JSONL,
    CLI_OPT_AT,
    CLI_OPT_ASSISTANT,
    CLI_OPT_TOOL_RESULTS,
    CLI_OPT_APPENDED,
    CLI_OPT_CONTAINER,
    CLI_OPT_MODE,
    CLI_OPT_MERGE,
    CLI_OPT_ON_ASSISTANT_CONFLICT,
    CLI_OPT_COMPACTION,
    CLI_OPT_CHOICE,
    CLI_OPT_STATE,
    CLI_OPT_DEFERRED,
    CLI_OPT_ADD,
    CLI_OPT_ON_CONFLICT,
    CLI_OPT_CALL,
    CLI_OPT_INTERLEAVED,
    CLI_OPT_LEGACY_BETAS,
    CLI_OPT_HEADER,
    CLI_OPT_REQUEST,
    CLI_OPT_BLOCKS,
    CLI_OPT_WIRE,
    CLI_OPT_EMIT,
    CLI_OPT_PROVIDER_INPUT,
    CLI_OPT_HISTORY,
    CLI_OPT_MESSAGE,
    CLI_OPT_TURN,
    CLI_OPT_FORMAT,
    CLI_OPT_MAX_DOCUMENT,
    CLI_OPT_SOCKET,
    CLI_OPT_DAEMON,
    CLI_OPT_TIMEOUT_MS,
    CLI_OPT_JSON,
    CLI_OPT_MAN,
    CLI_OPT_COLOR,
    CLI_OPT_VERBOSE,
    CLI_OPT_QUIET,
    CLI_OPT_HELP,
    CLI_OPT_VERSION,
    CLI_OPTION_COUNT,
};

/* How an option's argument becomes a parameter of the request. */
enum cli_encoding {
    CLI_NOT_SENT,
    CLI_AS_STRING,
    CLI_AS_NUMBER,
    CLI_AS_FALSE,          /* a flag that sends false */
    CLI_AS_TRUE,           /* a flag that sends true */
    CLI_AS_MESSAGES,       /* a file: a list of messages, or a body with such a list */
    CLI_AS_JSON,           /* JSON or @FILE */
    CLI_AS_JSON_OR_STRING, /* JSON if it begins with { or [, @FILE, else a plain string */
    CLI_AS_TARGET,         /* as CLI_AS_JSON_OR_STRING, but ENDPOINT[:MODEL] is sent as an object */
    CLI_AS_NAMES,          /* as CLI_AS_JSON_OR_STRING, but A,B is sent as a list */
};

/* The values of an option with some commands. */
struct cli_words {
    unsigned commands; /* bits 1 << cli_command_id */
    const char *words; /* separated by blanks */
};

struct cli_option {
    const char *name;
    char letter;          /* 0: none */
    const char *argument; /* NULL: a flag */
    unsigned commands;    /* bits 1 << cli_command_id */
    enum cli_encoding encoding;
    const char *
        param; /* the parameter, "options/mode" for one inside `options`; NULL if nothing is sent */
    const char *step;          /* with prepare: the parameter that has it as a member; NULL: none */
    const char *values;        /* values for shell completion, separated by blanks; NULL: none */
    struct cli_words other[4]; /* values of single commands, instead of `values` */
    unsigned long long min, max; /* of a number; max 0: the argument isn't one */
    const char *help;            /* one line */
};

extern const struct cli_command cli_commands[CLI_COMMAND_COUNT];
extern const struct cli_option cli_options[CLI_OPTION_COUNT];

int cli_cmd_validate(const struct cli_args *args);
int cli_cmd_repair(const struct cli_args *args);
int cli_cmd_splice(const struct cli_args *args);
int cli_cmd_tools(const struct cli_args *args);
int cli_cmd_prepare(const struct cli_args *args);
int cli_cmd_seal(const struct cli_args *args);
int cli_cmd_stats(const struct cli_args *args);
int cli_cmd_stream(const struct cli_args *args);
int cli_cmd_explain(const struct cli_args *args);
int cli_cmd_redact(const struct cli_args *args);
int cli_cmd_rules(const struct cli_args *args);
int cli_cmd_health(const struct cli_args *args);
int cli_cmd_query(const struct cli_args *args);
int cli_cmd_call(const struct cli_args *args);
int cli_cmd_help(const struct cli_args *args);

#endif
