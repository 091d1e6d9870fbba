// entry: next_token
// harmless: helpers for the kinds of characters, the order of the conditions
// harmful: the digit 9 is no part of names any more
// taken: lexer is not null; lexer->at is a string; token is not null
#include "../natural.h"
#include VERSION

static void try_once(void) {
    char *text = n_text("ab19 2+(\t)");
    struct lexer lexer = {text};
    struct token token = {TOKEN_END, NULL, 0};
    n_show_text("text", text);
    n_result(next_token(&lexer, &token));
    n_show_place("at", lexer.at, text);
    n_show_number("kind", token.kind);
    n_show_place("start", token.start, text);
    n_show_number("length", (long)token.length);
}
