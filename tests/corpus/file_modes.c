// RUN: incise run %s --sym-file log=2
// EXPECT: paths=3 errors=0 complete=true exit=0
// Appending, truncating, reading what is only written, and names that are not there.
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    FILE *file = fopen("log", "a");
    fputs("+", file);
    if (fgetc(file) != EOF || !ferror(file))
        return 99;
    fclose(file);
    file = fopen("log", "r+");
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    printf("%ld\n", size);
    if (fputc('x', file) != 'x')
        return 98;
    fclose(file);
    file = fopen("other", "w");
    fclose(file);
    if (fopen("missing", "r") || errno != ENOENT)
        return 97;
    if (fopen("no/such", "w") || errno != ENOENT || fopen(".", "w") || fopen("", "r"))
        return 96;
    perror("missing");
    file = fopen("log", "r");
    if (fputs("no", file) != EOF || errno != EBADF)
        return 95;
    fclose(file);
    return 0;
}
