// RUN: incise run %s --entry dispatch
// EXPECT: paths=3 errors=1 complete=true exit=1
// ERROR: null-pointer at 16
// A call through a null entry of a table of functions.

static int start(void) { return 1; }
static int stop(void) { return 2; }

int dispatch(int command) {
    int (*handler)(void) = 0;
    if (command == 'a') {
        handler = start;
    } else if (command == 'z') {
        handler = stop;
    }
    return handler(); // error: null-pointer
}
