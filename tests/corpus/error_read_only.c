// RUN: incise run %s --entry capitalise
// EXPECT: paths=2 errors=1 complete=true exit=1
// ERROR: read-only at 11
// A write to a string literal.

static char *choose(int own, char *buffer) { return own ? buffer : (char *)"literal"; }

int capitalise(int own) {
    char buffer[8] = "buffer";
    char *text = choose(own, buffer);
    text[0] -= 32; // error: read-only
    return text[0];
}
