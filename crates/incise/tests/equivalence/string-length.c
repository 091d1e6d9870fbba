// verdict: same-within-bounds
// entry: length
// kind: refactoring
// loops: other
// domain: int
// options: --no-null --array text=5
// The length of a text of up to four characters, with an index and with a pointer.
unsigned old_length(char *text) {
    text[4] = 0;
    unsigned n = 0;
    while (text[n] != '\0') {
        n++;
    }
    return n;
}

unsigned new_length(char *text) {
    text[4] = 0;
    const char *end = text;
    while (*end) {
        ++end;
    }
    return (unsigned)(end - text);
}
