/* Copies standard input or files to standard output, as cat does: -n numbers the lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int number, line = 1, at_start = 1;

static void copy(FILE *file) {
    char buffer[4];
    size_t count;
    while ((count = fread(buffer, 1, sizeof buffer, file)) > 0) {
        for (size_t i = 0; i < count; i++) {
            if (number && at_start)
                printf("%6d\t", line++);
            at_start = buffer[i] == '\n';
            putchar(buffer[i]);
        }
    }
}

int main(int argc, char **argv) {
    int option, status = 0;
    while ((option = getopt(argc, argv, "n")) != -1) {
        if (option != 'n')
            return 2;
        number = 1;
    }
    if (optind == argc) {
        copy(stdin);
        return 0;
    }
    for (; optind < argc; optind++) {
        FILE *file = strcmp(argv[optind], "-") == 0 ? stdin : fopen(argv[optind], "rb");
        if (!file) {
            fprintf(stderr, "copy: %s: cannot be opened\n", argv[optind]);
            status = 1;
            continue;
        }
        copy(file);
        if (file != stdin && fclose(file) == EOF)
            status = 1;
    }
    return status;
}
