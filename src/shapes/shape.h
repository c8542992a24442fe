/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A shape (a `dialect` in the protocol) is a format of messages: how a document becomes a
 * transcript, and how the few values that repair writes (a text, an error result, a marker) look in
 * it. Shapes say what things are, never whether they are valid: that is for src/engine.
 */
#ifndef TK_SHAPES_SHAPE_H
#define TK_SHAPES_SHAPE_H

#include "history/history.h"
#include "value/writer.h"

/* The content of a result for a call that nobody ran. */
#define TK_NOT_EXECUTED "Not executed."

/* The key of a cache marker on the wire. Few documents have one, most of them near the end. The
 * reader records the range of the document in which this key occurs (value/doc.h), so that searches
 * skip the rest. */
#define TK_MARKER_KEY "cache_control"
/* The key of a call's input on the wire, which contains no markers whatever its members are named. */
#define TK_INPUT_KEY "input"

/* The longest path of member names from a part to one of its values. */
#define TK_PATH_MAX 5

/* Member names from the outside in, ended by NULL. keys[TK_OTHER(i)], if it isn't NULL, is another spelling of
 * keys[i]: what is read may have either and keeps it; what an edit adds has the spelling of keys[i]. */
#define TK_OTHER(step) (TK_PATH_MAX + (step))
struct tk_path {
    const char *keys[2 * TK_PATH_MAX];
};

/* Identifies the type of a part's result, for the tables of
 * providers/anthropic/provider_pairs/server_tools.h. */
struct tk_result_view {
    struct tk_val content; /* what the provider's tool returned; absent if missing */
    /* the wire's result type, "web_search_tool_result"; `.p == NULL`: unknown */
    struct tk_str type;
    struct tk_val metadata; /* fantasy: `data` of the typed metadata */
    bool unserializable;    /* fantasy: it has no typed metadata, so the adapter can't send it */
};

/* The name of a role, and the TK_MESSAGE_* flags that follow from it. */
struct tk_role_name {
    struct tk_str name;
    uint8_t role;
    uint32_t flags;
};

/* The wire's roles, and those of libraries whose adapters lift system messages out and keep the
 * client's results in messages of their own. */
extern const struct tk_role_name tk_wire_roles[], tk_adapter_roles[];

/*
 * A library keeps histories in a shape of its own, and its adapter writes the provider's requests from
 * them: facts about that adapter. All are 0 for a shape that is sent as it is.
 */
struct tk_adapter {
    bool string_input;       /* a call's input is a string that contains JSON */
    bool bare_tool_messages; /* messages of role `tool` contain only results, never text */
    bool tool_messages;      /* the client's results are in messages of role `tool` */
    bool named_results;      /* a result is judged by its call's tool name, not by its type */
    bool empty_left_out;     /* empty turns and turns of only reasoning and files aren't sent */
    bool trims_end;          /* the last text of the history is trimmed */
    bool no_blank_marked;    /* a blank text can't carry a cache marker */
    bool system_is_string;   /* a system message has no parts, so two of them never merge */
    /* Returns true if an invisible part asks the user to approve the call whose id it has. NULL:
     * there are no such parts. */
    bool (*asks_approval)(const struct tk_part *p);
    /* Returns true if a call is of an MCP tool. NULL: its type tells, or there is no MCP. */
    bool (*is_mcp)(const struct tk_part *call);
    /* Result types of the wire that write_error_result() can write, ended by `.p == NULL`. NULL:
     * all that CATALOGUE 5.1 lists, and MCP's. */
    const struct tk_str *error_results;
    struct tk_str
        marker_type; /* options with this type are a cache marker; `.p == NULL`: all are */
    /* from a part to options under the name that stored steps have; empty: they have no other */
    struct tk_path stored_options;
};

struct tk_shape {
    const char *name;
    struct tk_str root;  /* pointer to the list of messages in a body: "/messages" */
    struct tk_str parts; /* pointer to the list of parts in a message: "/content" */
    /* pointer to a message's list of calls, parts that come after those of the content: "/tool_calls";
     * `.p == NULL`: messages have one list. It is a list, null or absent: parameters are checked. Only
     * messages of the assistant have one; in others it is a member that nobody reads. */
    struct tk_str calls;
    /* Returns true if a message has no list of parts but is itself a part, such as an item of a
     * flat list. NULL: no message is. */
    bool (*is_whole)(struct tk_val message);
    /* Fills in what tk_shape_read_message() does, of a message of a flat list of items: with
     * TK_MESSAGE_WHOLE for an item that is a part itself. NULL: messages are read by their members
     * `role` and those named here. */
    void (*read_message)(struct tk_message *m, struct tk_arena *arena);
    /* Sets the id and the tool's name of an item, as reports name it; `.p == NULL`: it has none. NULL:
     * those of calls and results are known. */
    void (*name_item)(struct tk_val item, struct tk_arena *arena, struct tk_str *ret_id,
                      struct tk_str *ret_tool);
    /* the list of messages in a body may be missing, null, or a string, which is one message of the
     * user's that no edit changes */
    bool root_is_free;
    /* content that is a string or another value has no parts, and none are added to it */
    bool lists_only;
    bool wire; /* the provider's own shape: rules about blocks and ids apply */
    /* a library writes requests from this shape; NULL: the shape is sent as it is */
    const struct tk_adapter *adapter;
    /* TK_PART_ODD marks the parts with unknown types or members, so that only those are searched for
     * signs of another format */
    bool marks_odd_parts;
    /* a turn, as in repair_turn, is a list of messages or items, not the parts of one message */
    bool turns_are_lists;
    bool names_as_sent; /* the report of an edit has the id and name that were sent, not new ones */

    const struct tk_role_name *roles; /* ended by `.name.p == NULL` */
    /* Fills kind, flags and nodes of a part whose doc and node are set; `m` is its message. A part
     * with TK_PART_IN_CALLS is an element of the list of calls. */
    void (*read_part)(struct tk_part *p, const struct tk_message *m, struct tk_arena *arena);
    /* Returns the role of a message that names none, from its parts. NULL: the one of the last row of
     * `roles`. */
    enum tk_role (*role_of_parts)(const struct tk_transcript *t, uint32_t message);
    /* Returns the tool's name that the type of a result contains; `.p == NULL`: it contains none. NULL:
     * names of results are those of tk_tool_in_type(), or the shape has none. */
    struct tk_str (*name_in_type)(const struct tk_part *p, struct tk_arena *arena);
    /* Returns what a provider-executed result contains, in the wire's terms. NULL: no result of the
     * shape has a type. */
    struct tk_result_view (*result)(const struct tk_part *p, struct tk_arena *arena);
    /* Writes a text part. text: an encoded string. marker: the encoded value for `cache_marker`;
     * `.p == NULL`: none. */
    void (*write_text)(struct tk_writer *w, struct tk_str text, struct tk_str marker);
    /* Writes the error result "unavailable" for a provider-executed call. */
    void (*write_error_result)(struct tk_writer *w, const struct tk_part *call, struct tk_str id,
                               struct tk_str result_type);
    /* Writes a client's result which says that the call was not executed. */
    void (*write_unexecuted)(struct tk_writer *w, const struct tk_part *call, struct tk_str id);
    struct tk_path call_id;      /* from a call to its id */
    struct tk_path result_id;    /* from a result to the id of its call */
    struct tk_path input;        /* from a call to its input */
    struct tk_path cache_marker; /* from a part to its cache marker */
    struct tk_path text;         /* from a text part to its text */
    struct tk_path thinking;     /* from a thinking part to its text */
    struct tk_path citations;    /* from a text part to its citations; empty: the shape has none */
    struct tk_path hits;    /* from a provider-executed result to its list of hits, if it has one */
    struct tk_path caller;  /* from a part to its caller */
    struct tk_path options; /* from a part to its provider options; empty: the shape has none */
    /* from a message that is itself a result (TK_MESSAGE_RESULT) to the id of its call, and to the
     * tool's name; empty: no message is */
    struct tk_path message_id, message_name;
    struct tk_path caller_id; /* from the caller to the id that it refers to */
    /* member of a message that holds its provider options; NULL: none */
    const char *message_options;
    /* Further members of a message that the shape knows, ended by `.p == NULL`; NULL: none. The first
     * 16 are noted in each message that has them. */
    const struct tk_str *message_members;
    /* TK_ASKED_* of format.h; 0: no history is taken for one of another format. */
    unsigned asked;
};

/* Every shape: its name in code, its variable, its name in the protocol. The first one is the
 * default. */
#define TK_SHAPES(X)                                                                               \
    X(ANTHROPIC, tk_shape_anthropic, "anthropic")                                                  \
    X(FANTASY, tk_shape_fantasy, "fantasy")                                                        \
    X(AI_SDK, tk_shape_ai_sdk, "ai-sdk")                                                           \
    X(OPENAI_CHAT, tk_shape_openai_chat, "openai-chat")                                            \
    X(OPENAI_RESPONSES, tk_shape_openai_responses, "openai-responses")                             \
    X(BEDROCK, tk_shape_bedrock, "bedrock")                                                        \
    X(GEMINI, tk_shape_gemini, "gemini")

enum tk_shape_id {
#define TK_SHAPE_ENUM(id, shape, name) TK_SHAPE_##id,
    TK_SHAPES(TK_SHAPE_ENUM)
#undef TK_SHAPE_ENUM
    TK_SHAPE_COUNT,
};

#define TK_SHAPE_EXTERN(id, shape, name) extern const struct tk_shape shape;
TK_SHAPES(TK_SHAPE_EXTERN)
#undef TK_SHAPE_EXTERN

/* The facts of a shape that is sent as it is. */
extern const struct tk_adapter tk_no_adapter;

/* Returns the facts about the adapter of a shape. */
static inline const struct tk_adapter *tk_adapter_of(const struct tk_shape *d)
{
    return d->adapter ? d->adapter : &tk_no_adapter;
}

/* Returns the name of the member of a body that holds the list of messages. */
static inline struct tk_str tk_root_name(const struct tk_shape *d)
{
    return (struct tk_str){d->root.p + 1, d->root.n - 1};
}

/* Returns the name of the member that holds a message's list of calls; empty: there is none. */
static inline struct tk_str tk_calls_name(const struct tk_shape *d)
{
    return d->calls.p ? (struct tk_str){d->calls.p + 1, d->calls.n - 1} : TK_STR("");
}

/* Returns the name of the member that holds a message's parts. */
static inline struct tk_str tk_parts_name(const struct tk_shape *d)
{
    return (struct tk_str){d->parts.p + 1, d->parts.n - 1};
}

/* Returns the wire's type of a result; `.p == NULL` if it has none. */
static inline struct tk_str tk_result_type(const struct tk_shape *d, const struct tk_part *result,
                                           struct tk_arena *arena)
{
    return d->result ? d->result(result, arena).type : (struct tk_str){0};
}

/* Returns the tool's name in the wire's type of a result: "web_search" in "web_search_tool_result",
 * empty in "_tool_result"; `.p == NULL`: the type has none, like a client's "tool_result". */
struct tk_str tk_tool_in_type(struct tk_str type);

/* By enum tk_shape_id, ended by NULL. */
extern const struct tk_shape *const tk_shapes[TK_SHAPE_COUNT + 1];

/* Returns a body's list of messages under the root of any shape; absent if it has none. *ret_shape:
 * the first shape with that root. */
struct tk_val tk_find_messages(struct tk_val body, const struct tk_shape **ret_shape);

/* Returns the shape of that name; NULL: there is none. */
const struct tk_shape *tk_shape_by_name(struct tk_str name);

/* Returns true for a non-empty string, as a valid signature must be. */
bool tk_has_text(struct tk_val v);

/* Returns true for the role, the content, the provider options and further members that the shape
 * knows. */
bool tk_dialect_knows(const struct tk_shape *d, struct tk_val member);

/* Fills in a message's role, and the flags that follow from it. */
void tk_read_role(const struct tk_role_name *roles, struct tk_message *m, struct tk_str role);

/* Fills role, flags, content and options of a message whose node is set. */
void tk_shape_read_message(const struct tk_shape *d, struct tk_message *m, struct tk_arena *arena);

/* Returns a member that has one of two names: the first that isn't null, else the first; absent if there
 * is none. */
struct tk_val tk_get_spelled(struct tk_val v, struct tk_str name, struct tk_str other);

/* Returns the value one step along a path; absent if it is missing or `v` isn't an object. */
struct tk_val tk_path_step(struct tk_val v, const struct tk_path *path, int step);

/* Returns the value at a path; absent if a step is missing or isn't an object. */
struct tk_val tk_path_get(struct tk_val v, const struct tk_path *path);

/* Return the id of the call, and the tool's name, that a message with TK_MESSAGE_RESULT has; `.p ==
 * NULL`: none. */
struct tk_str tk_message_id(const struct tk_shape *d, const struct tk_message *m,
                            struct tk_arena *arena);
struct tk_str tk_message_tool(const struct tk_shape *d, const struct tk_message *m,
                              struct tk_arena *arena);

/* Sets the role of a message that names none, if the shape takes it from the parts. Call it after the
 * message's members or parts were read. */
void tk_read_role_of_parts(struct tk_transcript *t, uint32_t message);

/* Returns the name of a part's tool as the part itself tells it: its own, or the one in its type. `.p ==
 * NULL`: it tells none. */
struct tk_str tk_own_tool(const struct tk_transcript *t, const struct tk_part *p);

/* Returns true if all parts of the message are blank texts, or it has none. */
bool tk_says_nothing(const struct tk_transcript *t, uint32_t message);

#endif
