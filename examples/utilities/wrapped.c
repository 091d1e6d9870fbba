/* Lines that are no longer than a width, as fold does: -w WIDTH, -s breaks at blanks. */
#include <ctype.h>
#include <errno.h>
#include <error.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 64

static const struct option long_options[] = {
    {"spaces", no_argument, NULL, 's'}, {"width", required_argument, NULL, 'w'}, {NULL, 0, NULL, 0}};

static void fold(FILE *file, size_t width, bool at_blanks) {
    char line[LONGEST];
    size_t length = 0;
    int c;
    while ((c = getc(file)) != EOF) {
        if (c == '\n') {
            line[length++] = (char)c;
            fwrite(line, 1, length, stdout);
            length = 0;
            continue;
        }
        if (length == width) {
            size_t kept = length;
            if (at_blanks)
                while (kept > 0 && !isblank((unsigned char)line[kept - 1]))
                    kept--;
            if (kept == 0)
                kept = length;
            fwrite(line, 1, kept, stdout);
            putchar('\n');
            memmove(line, line + kept, length - kept);
            length -= kept;
        }
        line[length++] = (char)c;
    }
    fwrite(line, 1, length, stdout);
}

int main(int argc, char **argv) {
    unsigned long width = 3;
    bool at_blanks = false;
    int option, status = 0;
    char *end;
    while ((option = getopt_long(argc, argv, "sw:", long_options, NULL)) != -1) {
        switch (option) {
        case 's': at_blanks = true; break;
        case 'w':
            width = strtoul(optarg, &end, 10);
            if (*end || end == optarg || width == 0 || width >= LONGEST)
                error(2, 0, "invalid width: '%s'", optarg);
            break;
        default: return 2;
        }
    }
    if (optind == argc)
        fold(stdin, width, at_blanks);
    for (int at = optind; at < argc; at++) {
        FILE *file = fopen(argv[at], "r");
        if (!file) {
            error(0, errno, "%s", argv[at]);
            status = 1;
            continue;
        }
        fold(file, width, at_blanks);
        fclose(file);
    }
    return status;
}
