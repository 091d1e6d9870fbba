// RUN: incise run %s --sym-file text=4
// EXPECT: paths=31 errors=0 complete=true exit=0
// getline makes room, and keeps the newline; the last line may have none.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    FILE *file = fopen("text", "r");
    char *line = NULL;
    size_t room = 0;
    long length, lines = 0, longest = 0;
    while ((length = getline(&line, &room, file)) > 0) {
        lines += line[length - 1] == '\n';
        longest = length > longest ? length : longest;
    }
    free(line);
    fclose(file);
    printf("%ld %ld\n", lines, longest);
    return 0;
}
