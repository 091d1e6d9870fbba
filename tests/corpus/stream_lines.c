// RUN: incise run %s --entry settings --size f=0..3
// EXPECT: paths=193 errors=0 complete=true exit=0
// Lines of a stream.
#include <stdio.h>
#include <stdlib.h>

int settings(FILE *f) {
    char line[3];
    int sum = 0;
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#')
            continue;
        sum += atoi(line);
    }
    return sum;
}
