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

/* Takes the next token off a text; 0 at its end. */
int next_token(struct lexer *lexer, struct token *token) {
    const char *at = lexer->at;
    while (*at == ' ' || *at == '\t' || *at == '\n')
        at++;
    token->start = at;
    if (*at == '\0') {
        token->kind = TOKEN_END;
    } else if ((*at >= 'a' && *at <= 'z') || *at == '_') {
        token->kind = TOKEN_NAME;
        while ((*at >= 'a' && *at <= 'z') || (*at >= '0' && *at < '9') || *at == '_')
            at++;
    } else if (*at >= '0' && *at <= '9') {
        token->kind = TOKEN_NUMBER;
        while (*at >= '0' && *at <= '9')
            at++;
    } else {
        token->kind = TOKEN_SIGN;
        at++;
    }
    token->length = (size_t)(at - token->start);
    lexer->at = at;
    return token->kind != TOKEN_END;
}
