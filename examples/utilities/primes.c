/* The prime factors of numbers, as factor does: of arguments, or of lines of standard input. */
#include <ctype.h>
#include <error.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST 999

static int show(const char *text) {
    const char *at = text;
    while (isspace((unsigned char)*at))
        at++;
    unsigned number = 0;
    const char *start = at;
    for (; isdigit((unsigned char)*at) && number <= LARGEST; at++)
        number = number * 10 + (unsigned)(*at - '0');
    if (at == start || (*at && *at != '\n') || number > LARGEST) {
        error(0, 0, "'%.*s' is not a number up to %d", (int)strcspn(text, "\n"), text, LARGEST);
        return 1;
    }
    printf("%u:", number);
    for (unsigned prime = 2; prime * prime <= number; prime++)
        for (; number % prime == 0; number /= prime)
            printf(" %u", prime);
    if (number > 1)
        printf(" %u", number);
    putchar('\n');
    return 0;
}

int main(int argc, char **argv) {
    int status = 0;
    for (int at = 1; at < argc; at++)
        status |= show(argv[at]);
    char line[16];
    while (argc == 1 && fgets(line, sizeof line, stdin))
        status |= show(line);
    return status;
}
