/* getopt, getopt_long, asprintf and strerror_r against the C library. */
#define _GNU_SOURCE
#include "check.h"
#include <getopt.h>
#include <unistd.h>

extern char *model_optarg;
extern int model_optind, model_opterr, model_optopt;
int model_getopt(int, char *const *, const char *);
int model_getopt_long(int, char *const *, const char *, const struct option *, int *);
int model_getopt_long_only(int, char *const *, const char *, const struct option *, int *);
int model_asprintf(char **, const char *, ...);
char *model_strerror_r(int, char *, size_t);
int model___xpg_strerror_r(int, char *, size_t);
int __xpg_strerror_r(int, char *, size_t);

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

static int our_flag, their_flag;
static struct option our_options[] = {
    {"all", no_argument, NULL, 'a'},         {"bytes", required_argument, NULL, 'b'}, {"byline", required_argument, NULL, 'b'},
    {"count", optional_argument, NULL, 256}, {"check", no_argument, &our_flag, 5},    {"by", no_argument, NULL, 300},
    {"x", required_argument, NULL, 'x'},     {NULL, 0, NULL, 0},
};

struct long_scan {
    char **words;
    int count, only;
    const char *allowed;
    struct option options[8];
};

/* What the C library makes of the words: it may write to standard error. */
static void library_scan(void *argument) {
    struct long_scan *scan = argument;
    optind = 0;
    opterr = 1;
    while ((scan->only ? getopt_long_only : getopt_long)(scan->count, scan->words, scan->allowed, scan->options, NULL) != -1) {
    }
}

static void scan_long(char **words, int count, const char *allowed, int only, int messages) {
    char *ours[LONGEST + 1], *theirs[LONGEST + 1];
    memcpy(ours, words, sizeof ours);
    memcpy(theirs, words, sizeof theirs);
    struct long_scan scan = {words, count, only, allowed, {{0}}};
    memcpy(scan.options, our_options, sizeof our_options);
    scan.options[4].flag = &their_flag;
    optind = model_optind = 0;
    opterr = 0;
    model_opterr = messages;
    for (int round = 0; round < 20; round++) {
        int our_place = -1, their_place = -1;
        our_flag = their_flag = 0;
        int our_result = (only ? model_getopt_long_only : model_getopt_long)(count, ours, allowed, our_options, &our_place);
        int their_result = (only ? getopt_long_only : getopt_long)(count, theirs, allowed, scan.options, &their_place);
        CHECK(our_result == their_result, "getopt_long \"%s\": %d, not %d", allowed, their_result, our_result);
        CHECK(our_place == their_place && our_flag == their_flag, "place %d, not %d", their_place, our_place);
        CHECK(model_optind == optind && model_optarg == optarg, "optind %d, not %d", optind, model_optind);
        CHECK(their_result != '?' || model_optopt == optopt, "optopt %d, not %d", optopt, model_optopt);
        if (their_result == -1) {
            break;
        }
    }
    CHECK(!memcmp(ours, theirs, sizeof ours), "the order of the arguments");
    if (messages) {
        int status;
        const char *said = written_by_models(), *expected = written_by_library(library_scan, &scan, &status);
        CHECK(!strcmp(said, expected), "getopt_long says\n%snot\n%s", expected, said);
    }
}

static void check_long_options(void) {
    static const char *const allowed[] = {"ab:x:", "+ab:", "-ab::", ":b:c", "aW;b:", ""};
    static char *const pool[] = {"--all", "--al", "--a", "--by", "--b", "--bytes", "--bytes=", "--bytes=7", "--byl=x", "--c",
                                 "--co", "--count=1", "--count", "--check", "--check=2", "--x=", "--x", "--nothing", "--=",
                                 "-all", "-bytes", "-x", "-W", "-Wall", "-Wbytes=2", "-Wnone", "a", "-", "--", "-ab", "-q",
                                 "--bytesize", "-b", "-c", "-count"};
    for (int round = 0; round < 30000; round++) {
        char *words[LONGEST + 1] = {"program"};
        int count = 1 + (int)below(LONGEST - 1);
        for (int at = 1; at < count; at++) {
            words[at] = pool[below(sizeof pool / sizeof *pool)];
        }
        scan_long(words, count, allowed[below(sizeof allowed / sizeof *allowed)], (int)below(2), round % 40 == 0);
    }
}

void check_options(void) {
    unsetenv("POSIXLY_CORRECT");
    check_long_options();
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
}
