/* The last part of each path, as basename does: -a takes several paths, -s SUFFIX leaves a suffix out, -z ends with a zero. */
#define _GNU_SOURCE
#include <errno.h>
#include <error.h>
#include <getopt.h>
#include <libintl.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option long_options[] = {
    {"multiple", no_argument, NULL, 'a'}, {"suffix", required_argument, NULL, 's'}, {"zero", no_argument, NULL, 'z'},
    {"help", no_argument, NULL, 'h'},     {NULL, 0, NULL, 0},
};

static void usage(int status) {
    if (status) {
        fprintf(stderr, gettext("Try '%s --help'.\n"), program_invocation_name);
    } else {
        fputs(gettext("Usage: lastpart [-az] [-s SUFFIX] PATH...\n"), stdout);
    }
    exit(status);
}

/* The length without slashes at the end. */
static size_t stripped(const char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return length;
}

static void show(const char *path, const char *suffix, bool zero) {
    size_t length = stripped(path), start = length;
    while (start > 0 && path[start - 1] != '/')
        start--;
    if (start == length && length)
        start = length - 1;
    size_t part = length - start, tail = strlen(suffix);
    if (tail && tail < part && memcmp(path + length - tail, suffix, tail) == 0)
        part -= tail;
    fwrite(path + start, 1, part, stdout);
    putchar(zero ? 0 : '\n');
}

int main(int argc, char **argv) {
    bool multiple = false, zero = false;
    const char *suffix = "";
    int option;
    setlocale(LC_ALL, "");
    while ((option = getopt_long(argc, argv, "+as:z", long_options, NULL)) != -1) {
        switch (option) {
        case 's': suffix = optarg; /* fall through */
        case 'a': multiple = true; break;
        case 'z': zero = true; break;
        case 'h': usage(0); break;
        default: usage(1);
        }
    }
    if (optind == argc) {
        error(0, 0, gettext("missing operand"));
        usage(1);
    }
    if (!multiple && optind + 1 < argc)
        suffix = argv[optind + 1];
    for (int at = optind; at < (multiple ? argc : optind + 1); at++)
        show(argv[at], suffix, zero);
    return 0;
}
