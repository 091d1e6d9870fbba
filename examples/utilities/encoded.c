/* Bytes as letters, as base64 does: -d for the way back; reads IN or standard input. */
#define _GNU_SOURCE
#include <error.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void encode(void) {
    unsigned char block[3];
    size_t count;
    while ((count = fread_unlocked(block, 1, 3, stdin)) > 0) {
        unsigned long bits = (unsigned long)block[0] << 16;
        bits |= count > 1 ? (unsigned long)block[1] << 8 : 0;
        bits |= count > 2 ? block[2] : 0u;
        char out[5] = {letters[bits >> 18], letters[bits >> 12 & 63], letters[bits >> 6 & 63], letters[bits & 63], 0};
        for (size_t at = count + 1; at < 4; at++)
            out[at] = '=';
        fputs_unlocked(out, stdout);
    }
    putchar('\n');
}

static int value(int c) {
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

static bool decode(void) {
    unsigned bits = 0;
    int count = 0, c;
    while ((c = getchar()) != EOF && c != '=') {
        if (c == '\n')
            continue;
        int six = value(c);
        if (six < 0)
            return false;
        bits = bits << 6 | (unsigned)six;
        count += 6;
        if (count >= 8) {
            count -= 8;
            putchar((int)(bits >> count & 255));
        }
    }
    return count != 6;
}

int main(int argc, char **argv) {
    bool back = false;
    int option;
    while ((option = getopt(argc, argv, "d")) != -1) {
        if (option == '?')
            return 2;
        back = true;
    }
    if (optind < argc && strcmp(argv[optind], "-")) {
        struct stat known;
        if (stat(argv[optind], &known) || !freopen(argv[optind], "rb", stdin))
            error(1, errno, "%s", argv[optind]);
        if (!S_ISREG(known.st_mode))
            error(1, 0, "%s is no file", argv[optind]);
    }
    if (!back) {
        encode();
        return 0;
    }
    if (!decode())
        error(1, 0, "invalid input");
    return 0;
}
