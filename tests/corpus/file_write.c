// RUN: incise run %s --sym-file in=2
// EXPECT: paths=5 errors=0 complete=true exit=0
// What is written can be read back, and is what is left at the end; a file that is removed is gone.
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[16];
    FILE *in = fopen("in", "rb"), *out = fopen("out", "w+");
    if (!in || !out)
        return 99;
    int c, count = 0;
    while ((c = fgetc(in)) != EOF) {
        fputc(c, out);
        count++;
    }
    fprintf(out, "<%d|%s>\n", count, "end");
    fputs("two\n", out);
    fwrite("three", 1, 5, out);
    if (fseek(out, count, SEEK_SET) || !fgets(line, sizeof line, out))
        return 98;
    if (line[1] != '0' + count || strcmp(line + 2, "|end>\n"))
        return 97;
    rewind(out);
    if (count && fgetc(out) == 'x')
        count += 0;
    fseek(out, -5, SEEK_END);
    fputc('T', out);
    fclose(out);
    fclose(in);
    return remove("in");
}
