// verdict: differs
// entry: report
// kind: bug
// loops: none
// domain: int
// The result is the same, what is written is not.
#include <stdio.h>

int old_report(int status) {
    if (status != 0) {
        printf("failed\n");
    }
    return status;
}

int new_report(int status) {
    if (status > 0) {
        printf("failed\n");
    }
    return status;
}
