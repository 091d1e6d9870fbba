/*
 * unistd.h: getopt, with the order of GNU: arguments that are no options move behind the options.
 *
 * During a scan argv has three parts: up to `plain_start` all is done, from there to `plain_end` are
 * arguments that were passed over, and from `optind` on is what was not looked at.
 */
#include "incise.h"

char *optarg;
int optind = 1;
int opterr = 1;
int optopt = '?';

int fprintf(FILE *stream, const char *format, ...);
extern FILE __incise_stderr_stream;

enum __incise_option_order { OPTIONS_FIRST, OPTIONS_UNTIL_PLAIN, OPTIONS_IN_ORDER };

static enum __incise_option_order __incise_option_order;
static bool __incise_options_started;
static char *__incise_option_rest; /* of an argument with several letters */
static int __incise_plain_start;
static int __incise_plain_end;

/* Moves what was passed over behind the options that came after it. */
static void __incise_move_plain(char **argv) {
    int options = optind - __incise_plain_end;
    for (int round = 0; round < options; round++) {
        char *option = argv[__incise_plain_end + round];
        for (int at = __incise_plain_end + round; at > __incise_plain_start + round; at--) {
            argv[at] = argv[at - 1];
        }
        argv[__incise_plain_start + round] = option;
    }
    __incise_plain_start += options;
    __incise_plain_end = optind;
}

INLINE bool __incise_is_plain(const char *argument) { return argument[0] != '-' || argument[1] == 0; }

INLINE bool __incise_is_double_dash(const char *argument) {
    return argument[0] == '-' && argument[1] == '-' && argument[2] == 0;
}

/* Finds the next argument with options. False when the scan ends with `*result`. */
static bool __incise_next_options(int argc, char **argv, int *result) {
    if (__incise_plain_end > optind) {
        __incise_plain_end = optind;
    }
    if (__incise_plain_start > optind) {
        __incise_plain_start = optind;
    }
    if (__incise_option_order == OPTIONS_FIRST) {
        if (__incise_plain_start != __incise_plain_end && __incise_plain_end != optind) {
            __incise_move_plain(argv);
        } else if (__incise_plain_end != optind) {
            __incise_plain_start = optind;
        }
        while (optind < argc && __incise_is_plain(argv[optind])) {
            optind++;
        }
        __incise_plain_end = optind;
    }
    if (optind != argc && __incise_is_double_dash(argv[optind])) {
        optind++;
        if (__incise_plain_start != __incise_plain_end && __incise_plain_end != optind) {
            __incise_move_plain(argv);
        } else if (__incise_plain_start == __incise_plain_end) {
            __incise_plain_start = optind;
        }
        __incise_plain_end = argc;
        optind = argc;
    }
    if (optind == argc) {
        if (__incise_plain_start != __incise_plain_end) {
            optind = __incise_plain_start;
        }
        *result = -1;
        return false;
    }
    if (__incise_is_plain(argv[optind])) {
        *result = -1;
        if (__incise_option_order == OPTIONS_IN_ORDER) {
            optarg = argv[optind++];
            *result = 1;
        }
        return false;
    }
    __incise_option_rest = argv[optind] + 1;
    return true;
}

/* The place of the letter among the allowed ones, or the terminator. */
INLINE const char *__incise_option_place(const char *allowed, char letter) {
    while (*allowed) {
        if (*allowed == letter) {
            break;
        }
        allowed++;
    }
    return allowed;
}

int getopt(int argc, char *const *arguments, const char *allowed) {
    char **argv = (char **)arguments;
    if (argc < 1) {
        return -1;
    }
    optarg = NULL;
    if (optind == 0 || !__incise_options_started) {
        if (optind == 0) {
            optind = 1;
        }
        __incise_plain_start = __incise_plain_end = optind;
        __incise_option_rest = NULL;
        __incise_option_order = *allowed == '-'   ? OPTIONS_IN_ORDER
                                : *allowed == '+' ? OPTIONS_UNTIL_PLAIN
                                                  : OPTIONS_FIRST;
        __incise_options_started = true;
    }
    if (*allowed == '-' || *allowed == '+') {
        allowed++;
    }
    bool quiet = !opterr || *allowed == ':';
    if (!__incise_option_rest || !*__incise_option_rest) {
        int result;
        if (!__incise_next_options(argc, argv, &result)) {
            return result;
        }
    }
    char letter = *__incise_option_rest++;
    const char *place = __incise_option_place(allowed, letter);
    if (!*__incise_option_rest) {
        optind++;
    }
    if (!*place || letter == ':' || letter == ';') {
        if (!quiet) {
            fprintf(&__incise_stderr_stream, "%s: invalid option -- '%c'\n", argv[0], letter);
        }
        optopt = letter;
        return '?';
    }
    if (place[1] != ':') {
        return letter;
    }
    if (*__incise_option_rest) {
        optarg = __incise_option_rest;
        optind++;
    } else if (place[2] != ':') {
        if (optind == argc) {
            if (!quiet) {
                fprintf(&__incise_stderr_stream, "%s: option requires an argument -- '%c'\n", argv[0], letter);
            }
            optopt = letter;
            letter = *allowed == ':' ? ':' : '?';
        } else {
            optarg = argv[optind++];
        }
    }
    __incise_option_rest = NULL;
    return letter;
}
