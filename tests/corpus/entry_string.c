// RUN: incise run %s --entry parse_flag --array text=3 --no-null --inputs any
// EXPECT: paths=4 errors=1 complete=true exit=1
// ERROR: out-of-bounds at 11
// An array of characters need not end; the function assumes that it does.

int parse_flag(const char *text) {
    int flags = 0;
    if (*text != '-') {
        return 0;
    }
    for (text++; *text; text++) { // error: out-of-bounds
        flags = flags * 2 + (*text == 'v');
    }
    return flags;
}
