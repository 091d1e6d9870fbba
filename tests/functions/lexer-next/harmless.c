#include <stddef.h>

enum kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_SIGN };

struct lexer {
    const char *at;
};

struct token {
    enum kind kind;
    const char *start;
    size_t length;
};

static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

static int is_letter(char c) {
    return c == '_' || (c >= 'a' && c <= 'z');
}

/* Takes the next token off a text; 0 at its end. */
int next_token(struct lexer *lexer, struct token *token) {
    const char *at = lexer->at;
    while (*at == ' ' || *at == '\t' || *at == '\n')
        at++;
    token->start = at;
    if (is_letter(*at)) {
        token->kind = TOKEN_NAME;
        do {
            at++;
        } while (is_letter(*at) || is_digit(*at));
    } else if (is_digit(*at)) {
        token->kind = TOKEN_NUMBER;
        do {
            at++;
        } while (is_digit(*at));
    } else if (*at != '\0') {
        token->kind = TOKEN_SIGN;
        at++;
    } else {
        token->kind = TOKEN_END;
    }
    token->length = (size_t)(at - token->start);
    lexer->at = at;
    return token->kind != TOKEN_END;
}
