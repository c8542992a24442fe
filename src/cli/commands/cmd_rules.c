/* SPDX-License-Identifier: Apache-2.0 */
/* turnkeeper rules: prints the catalogue as text or as the man page turnkeeper-rules(7). Needs no
 * daemon. */
#include <stdio.h>
#include <string.h>

#include "catalogue/rule.h"
#include "cli/args/options.h"
#include "turnkeeper/turnkeeper.h"

/* Writers of a page: plain text or roff. */
struct style {
    void (*head)(const char *code, const char *kind);
    void (*mark)(const char *s);
    void (*text)(const char *s);
};

/* ---- plain ---- */

enum {
    WIDTH = 78,
    INDENT = 4,
};

static void put_plain(const char *s)
{
    size_t column = 0;

    while (*s) {
        size_t word = strcspn(s, " ");

        if (column > 0 && column + 1 + word > WIDTH - INDENT) {
            putchar('\n');
            column = 0;
        }
        printf("%*s%.*s", column > 0 ? 1 : INDENT, "", (int)word, s);
        column += word + (column > 0);
        s += word + (s[word] == ' ');
    }
    putchar('\n');
}

static void head_plain(const char *code, const char *kind)
{
    printf("%s (%s)\n", code, kind);
}

static void mark_plain(const char *s)
{
    printf("  %s:\n", s);
}

/* ---- roff ---- */

static void head_roff(const char *code, const char *kind)
{
    printf(".SS %s (%s)\n", code, kind);
}

static void mark_roff(const char *s)
{
    printf(".TP\n.B %s\n", s);
}

static void put_roff(const char *s)
{
    if (*s == '.' || *s == '\'')
        fputs("\\&", stdout);
    for (; *s; s++) {
        if (*s == '\\')
            fputs("\\e", stdout);
        else if (*s == '-')
            fputs("\\-", stdout);
        else
            putchar(*s);
    }
    putchar('\n');
}

static const struct style plain = {head_plain, mark_plain, put_plain};
static const struct style roff = {head_roff, mark_roff, put_roff};

/* ---- a rule ---- */

static void item(const struct style *style, const char *mark, const char *text)
{
    if (!text)
        return;
    style->mark(mark);
    style->text(text);
}

/* Words for the bits of tk_needs. */
static const char *const sources[] = {
    "the whole request, not its messages alone",
    "endpoint and model: those of the target, else the official API and the request's model",
    "the values of the header anthropic-beta",
    "seals of the turns",
    "the policy, which asks for this edit",
};

static void print_rule(const struct style *style, size_t code)
{
    const struct tk_rule *rule = &tk_catalogue[code];
    const char *mark = "Judged from";

    style->head(rule->code, tk_severity_name(rule->severity));
    style->text(rule->trigger);
    for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++)
        if (rule->needs & (1u << i)) {
            item(style, mark, sources[i]);
            mark = "And from";
        }
    item(style, "The provider", rule->provider_error);
    item(style, rule->preserve ? "Repair, conservative" : "Repair", rule->conservative);
    item(style, "Repair, preserve", rule->preserve);
}

static void print_unjudged(const struct style *style, size_t i)
{
    style->head(tk_unjudged[i].code, "not judged");
    style->text(tk_unjudged[i].trigger);
    item(style, "What helps", tk_unjudged[i].helps);
}

static void print_all(const struct style *style, const char *between, const char *unjudged)
{
    for (size_t i = 0; i < TK_CODE_COUNT; i++) {
        print_rule(style, i);
        fputs(between, stdout);
    }
    fputs(unjudged, stdout);
    for (size_t i = 0; i < TK_UNJUDGED_COUNT; i++) {
        fputs(between, stdout);
        print_unjudged(style, i);
    }
}

static void print_page(void)
{
    printf(".\\\" Made by `turnkeeper rules --man` from src/catalogue/catalogue.json.\n"
           ".TH TURNKEEPER\\-RULES 7 \"\" \"turnkeeper %s\"\n"
           ".SH NAME\n"
           "turnkeeper\\-rules \\- what makes a conversation history unacceptable\n"
           ".SH DESCRIPTION\n"
           "Every rule that this release of\n"
           ".BR turnkeeper (1)\n"
           "judges by: what it looks for, what the provider answers to such a history, and what\n"
           "repair does about it under each policy. Words in braces are filled in.\n"
           "Repair makes no edit because of a warning, unless the policy asks for it.\n"
           ".PP\n"
           "A rule is judged from the messages. If more must be known,\n"
           ".B Judged from\n"
           "says what, and the rule finds nothing as long as that isn't given. The model and the\n"
           "target are an exception: without them, the limits of the official API hold.\n"
           ".SH RULES\n",
           tk_version());
    print_all(
        &roff, "",
        ".SH NOT JUDGED\n"
        "Refusals that no rule looks for. Either only the provider can know them, or they are\n"
        "about a setting of the request, which no edit of the messages mends.\n"
        "What helps is named for programs that read the provider's answer and send the request\n"
        "once more: for the policy conservative, and after the slash for preserve.\n");
    printf(".SH SEE ALSO\n.BR turnkeeper (1),\n.BR turnkeeperd (8)\n");
}

static int print_named(const char *name)
{
    for (size_t i = 0; i < TK_CODE_COUNT; i++)
        if (strcmp(tk_catalogue[i].code, name) == 0) {
            print_rule(&plain, i);
            return 0;
        }
    for (size_t i = 0; i < TK_UNBUILT_COUNT; i++)
        if (strcmp(tk_unjudged[i].code, name) == 0) {
            print_unjudged(&plain, i);
            return 0;
        }
    fprintf(stderr, "turnkeeper: no rule is called %s\n", name);
    return 1;
}

int cli_cmd_rules(const struct cli_args *args)
{
    if (args->operand_count > 0)
        return print_named(args->operands[0]);
    if (cli_given(args, CLI_OPT_MAN))
        print_page();
    else
        print_all(
            &plain, "\n",
            "Not judged: only the provider can know these, or they are settings of a request.\n");
    return 0;
}
