// RUN: incise run %s --entry shorten
// EXPECT: paths=3 errors=0 complete=true exit=0
// strdup and strndup allocate; the copy is independent and is freed.
#include <stdlib.h>
#include <string.h>

int shorten(unsigned char limit) {
    char original[] = "symbolic";
    char *copy = strdup(original);
    size_t kept = limit == 3 ? 3 : limit == 20 ? 20 : 0;
    char *start = strndup(original, kept);
    original[0] = 'S';
    copy[7] = 'C';
    int result = copy[0] * 10 + (int)strlen(start) + (start[0] == 's');
    free(start);
    free(copy);
    return result;
}
