// verdict: differs
// entry: finish
// kind: bug
// loops: none
// domain: int
// The program ends with another status.
#include <stdlib.h>

void old_finish(int errors) {
    exit(errors > 0 ? 1 : 0);
}

void new_finish(int errors) {
    exit(errors != 0 ? 1 : 0);
}
