// RUN: incise run %s
// EXPECT: paths=4 errors=0 complete=true exit=0
// strtok, strtok_r and strsep cut a string whose separators are symbolic.
#include "klee/klee.h"
#include <stdio.h>
#include <string.h>

int main(void) {
    char separators[2];
    klee_make_symbolic(separators, sizeof separators, "separators");
    char line[] = "ab?cd?ef";
    line[2] = separators[0] == ',' ? ',' : '_';
    line[5] = separators[1] == ';' ? ';' : '_';
    int fields = 0;
    for (char *field = strtok(line, ",;"); field; field = strtok(NULL, ",;")) {
        printf("[%s]", field);
        fields++;
    }
    char path[] = "usr::bin";
    char *rest = path, *part;
    while ((part = strsep(&rest, ":"))) {
        printf("<%s>", part);
    }
    printf("\n");
    return fields;
}
