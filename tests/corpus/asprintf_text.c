// RUN: incise run %s --entry describe
// EXPECT: paths=2 errors=0 complete=true exit=0
// asprintf allocates what the text needs.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int describe(int kind) {
    char *text = NULL;
    int length = kind == 4 ? asprintf(&text, "%s #%03d", "kind", 4) : asprintf(&text, "none");
    int result = length * 100 + (int)strlen(text) + text[length - 1];
    free(text);
    return result;
}
