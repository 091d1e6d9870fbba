/* getopt, asprintf, strerror_r and setlocale against the C library. */
#define _GNU_SOURCE
#include "check.h"
#include <locale.h>
#include <unistd.h>

extern char *model_optarg;
extern int model_optind, model_opterr, model_optopt;
int model_getopt(int, char *const *, const char *);
int model_asprintf(char **, const char *, ...);
char *model_strerror_r(int, char *, size_t);
int model___xpg_strerror_r(int, char *, size_t);
int __xpg_strerror_r(int, char *, size_t);
char *model_setlocale(int, const char *);

#define LONGEST 8

static void scan(char **words, int count, const char *allowed) {
    char *ours[LONGEST + 1], *theirs[LONGEST + 1];
    memcpy(ours, words, sizeof ours);
    memcpy(theirs, words, sizeof theirs);
    optind = model_optind = 0;
    opterr = model_opterr = 0;
    for (int round = 0; round < 20; round++) {
        int our_result = model_getopt(count, ours, allowed);
        int their_result = getopt(count, theirs, allowed);
        CHECK(our_result == their_result, "getopt \"%s\": %d, not %d", allowed, their_result, our_result);
        CHECK(model_optind == optind, "optind %d, not %d", optind, model_optind);
        CHECK(model_optarg == optarg, "optarg %s, not %s", optarg, model_optarg);
        CHECK(their_result != '?' || model_optopt == optopt, "optopt");
        if (their_result == -1) {
            break;
        }
    }
    CHECK(!memcmp(ours, theirs, sizeof ours), "the order of the arguments");
}

void check_options(void) {
    static const char *const allowed[] = {"ab", "a:b", "a::bc:", "+a:b", "-ab:", ":a:b", "+:a", "", "a:;b"};
    static char *const pool[] = {"-a", "-b", "-ab", "-abc", "-aval", "x", "y", "-", "--", "-c", "-ba", "", "-:", "-x", "-;"};
    for (int round = 0; round < 40000; round++) {
        char *words[LONGEST + 1] = {"program"};
        int count = 1 + (int)below(LONGEST - 1);
        for (int at = 1; at < count; at++) {
            words[at] = pool[below(sizeof pool / sizeof *pool)];
        }
        scan(words, count, allowed[below(sizeof allowed / sizeof *allowed)]);
    }
    char *text = NULL;
    CHECK(model_asprintf(&text, "%s-%d", "abc", 42) == 6 && !strcmp(text, "abc-42"), "asprintf");
    free(text);
    for (int number = -2; number < 140; number++) {
        for (size_t size = 1; size < 40; size += 6) {
            char ours[64] = "?", theirs[64] = "?";
            CHECK(!strcmp(model_strerror_r(number, ours, size), strerror_r(number, theirs, size)), "strerror_r(%d)", number);
            CHECK(model___xpg_strerror_r(number, ours, size) == __xpg_strerror_r(number, theirs, size) &&
                      !strcmp(ours, theirs), "POSIX strerror_r(%d) in %zu", number, size);
        }
    }
    static const char *const names[] = {"C", "POSIX", "", "xx_YY", "P", "CC"};
    unsetenv("LANG");
    unsetenv("LC_ALL");
    for (int at = 0; at < 6; at++) {
        char *theirs = setlocale(LC_CTYPE, names[at]), *ours = model_setlocale(LC_CTYPE, names[at]);
        CHECK(!ours == !theirs && (!ours || !strcmp(ours, theirs)), "setlocale(\"%s\")", names[at]);
    }
}
