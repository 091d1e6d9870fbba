/* Numbers one after the other, as seq does: FIRST LAST or LAST; -s SEPARATOR, -w pads with zeros. */
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option long_options[] = {
    {"separator", required_argument, NULL, 's'}, {"equal-width", no_argument, NULL, 'w'}, {NULL, 0, NULL, 0}};

static long number(const char *text) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end)
        errx(2, "invalid number: '%s'", text);
    if (errno || value > 20 || value < -20)
        errx(2, "too large: '%s'", text);
    return value;
}

static int digits(long value) {
    char text[24];
    return snprintf(text, sizeof text, "%ld", value);
}

int main(int argc, char **argv) {
    const char *separator = "\n";
    bool equal = false;
    int option;
    while ((option = getopt_long(argc, argv, "+s:w", long_options, NULL)) != -1) {
        if (option == 's')
            separator = optarg;
        else if (option == 'w')
            equal = true;
        else
            return 2;
    }
    if (optind == argc || argc - optind > 2)
        errx(2, "one or two numbers are wanted");
    long first = argc - optind == 2 ? number(argv[optind]) : 1, last = number(argv[argc - 1]);
    int width = 0;
    if (equal)
        width = digits(first) > digits(last) ? digits(first) : digits(last);
    for (long each = first; each <= last; each++) {
        if (each != first)
            fputs(separator, stdout);
        printf("%0*ld", width, each);
    }
    if (first <= last)
        putchar('\n');
    return 0;
}
