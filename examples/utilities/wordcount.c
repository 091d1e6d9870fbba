/* Counts lines, words and bytes of files or of standard input, as wc does: -l, -w and -c choose. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct counts {
    long lines, words, bytes;
};

static int show_lines, show_words, show_bytes;

static struct counts count(FILE *file) {
    struct counts found = {0, 0, 0};
    int c, inside = 0;
    while ((c = getc(file)) != EOF) {
        found.bytes++;
        if (c == '\n')
            found.lines++;
        if (isspace(c)) {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            found.words++;
        }
    }
    return found;
}

static void show(struct counts found, const char *name) {
    if (show_lines)
        printf("%ld ", found.lines);
    if (show_words)
        printf("%ld ", found.words);
    if (show_bytes)
        printf("%ld ", found.bytes);
    printf("%s\n", name);
}

int main(int argc, char **argv) {
    struct counts total = {0, 0, 0};
    int option, status = 0;
    while ((option = getopt(argc, argv, "lwc")) != -1) {
        switch (option) {
        case 'l': show_lines = 1; break;
        case 'w': show_words = 1; break;
        case 'c': show_bytes = 1; break;
        default: fprintf(stderr, "usage: wordcount [-lwc] [FILE]...\n"); return 2;
        }
    }
    if (!show_lines && !show_words && !show_bytes)
        show_lines = show_words = show_bytes = 1;
    if (optind == argc)
        show(count(stdin), "");
    for (int i = optind; i < argc; i++) {
        FILE *file = strcmp(argv[i], "-") ? fopen(argv[i], "r") : stdin;
        if (!file) {
            perror(argv[i]);
            status = 1;
            continue;
        }
        struct counts found = count(file);
        show(found, argv[i]);
        total.lines += found.lines;
        total.words += found.words;
        total.bytes += found.bytes;
        if (file != stdin)
            fclose(file);
    }
    if (argc - optind > 1)
        show(total, "total");
    return status;
}
