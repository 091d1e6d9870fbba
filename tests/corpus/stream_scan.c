// RUN: incise run %s --entry total --size f=0..2
// EXPECT: paths=24 errors=0 complete=true exit=0
// Numbers from a stream, and a line of any length.
#include <stdio.h>
#include <stdlib.h>

long total(FILE *f) {
    int value, sum = 0;
    while (fscanf(f, "%d", &value) == 1)
        sum += value;
    char *line = NULL;
    size_t room = 0;
    long length = getline(&line, &room, f);
    free(line);
    return sum + 1000 * length;
}
