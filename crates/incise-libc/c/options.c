/*
 * unistd.h and getopt.h: getopt, getopt_long and getopt_long_only, with the order of GNU: arguments that are no options
 * move behind the options.
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

/* As in getopt.h. */
struct option {
    const char *name;
    int has_argument;
    int *flag;
    int value;
};

/* What one call is given. */
struct __incise_scan {
    int argc;
    char **argv;
    const char *allowed; /* without what says the order */
    const struct option *options;
    int *place;
    bool only_long;
    bool quiet;
};


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

/* ---- Long options ------------------------------------------------------------------------------ */

/* Whether a name begins with a text of that length, as one condition. The names of options are constants. */
static unsigned __incise_begins(const char *name, const char *text, size_t length) {
    unsigned same = 1;
    for (size_t at = 0; at < length; at++) {
        if (!name[at]) {
            return 0;
        }
        same &= (unsigned)(name[at] == text[at]);
    }
    return same;
}

INLINE bool __incise_is_alike(const struct option *one, const struct option *other) {
    return one->has_argument == other->has_argument && one->flag == other->flag && one->value == other->value;
}

/* Says that several options begin like that. */
static void __incise_say_ambiguous(const struct __incise_scan *scan, const char *prefix, size_t length) {
    fprintf(&__incise_stderr_stream, "%s: option '%s%s' is ambiguous; possibilities:", scan->argv[0], prefix,
            __incise_option_rest);
    const struct option *first = NULL;
    for (const struct option *each = scan->options; each->name; each++) {
        if (__incise_begins(each->name, __incise_option_rest, length)) {
            if (!first || scan->only_long || !__incise_is_alike(first, each)) {
                fprintf(&__incise_stderr_stream, " '%s%s'", prefix, each->name);
            }
            first = first ? first : each;
        }
    }
    fprintf(&__incise_stderr_stream, "\n");
}

/* The option of that name, or the only one that begins like that. */
static const struct option *__incise_find_option(const struct __incise_scan *scan, size_t length, bool *ambiguous) {
    for (const struct option *each = scan->options; each->name; each++) {
        if (__incise_begins(each->name, __incise_option_rest, length) && !each->name[length]) {
            return each;
        }
    }
    const struct option *found = NULL;
    for (const struct option *each = scan->options; each->name; each++) {
        if (__incise_begins(each->name, __incise_option_rest, length)) {
            if (!found) {
                found = each;
            } else if (scan->only_long || !__incise_is_alike(found, each)) {
                *ambiguous = true;
            }
        }
    }
    return found;
}

/* The argument of a long option: behind "=", or the next word. Gives the result of the scan. */
static int __incise_take_option(const struct __incise_scan *scan, const struct option *found, const char *prefix,
                                char *end) {
    optind++;
    __incise_option_rest = NULL;
    if (*end) {
        if (!found->has_argument) {
            if (!scan->quiet) {
                fprintf(&__incise_stderr_stream, "%s: option '%s%s' doesn't allow an argument\n", scan->argv[0], prefix,
                        found->name);
            }
            optopt = found->value;
            return '?';
        }
        optarg = end + 1;
    } else if (found->has_argument == 1) {
        if (optind >= scan->argc) {
            if (!scan->quiet) {
                fprintf(&__incise_stderr_stream, "%s: option '%s%s' requires an argument\n", scan->argv[0], prefix,
                        found->name);
            }
            optopt = found->value;
            return *scan->allowed == ':' ? ':' : '?';
        }
        optarg = scan->argv[optind++];
    }
    if (scan->place) {
        *scan->place = (int)(found - scan->options);
    }
    if (found->flag) {
        *found->flag = found->value;
        return 0;
    }
    return found->value;
}

/* The long option at `__incise_option_rest`. -1 if it may still be a short one. */
static int __incise_long_option(const struct __incise_scan *scan, const char *prefix) {
    char *end = __incise_option_rest;
    while (*end && *end != '=') {
        end++;
    }
    size_t length = (size_t)(end - __incise_option_rest);
    bool ambiguous = false;
    const struct option *found = __incise_find_option(scan, length, &ambiguous);
    if (ambiguous) {
        if (!scan->quiet) {
            __incise_say_ambiguous(scan, prefix, length);
        }
        __incise_option_rest = NULL;
        optind++;
        optopt = 0;
        return '?';
    }
    if (found) {
        return __incise_take_option(scan, found, prefix, end);
    }
    if (scan->only_long && scan->argv[optind][1] != '-' &&
        *__incise_option_place(scan->allowed, *__incise_option_rest)) {
        return -1;
    }
    if (!scan->quiet) {
        fprintf(&__incise_stderr_stream, "%s: unrecognized option '%s%s'\n", scan->argv[0], prefix, __incise_option_rest);
    }
    __incise_option_rest = NULL;
    optind++;
    optopt = 0;
    return '?';
}

/* A word that may be a long option. False if it is one of short options. */
static bool __incise_try_long_option(const struct __incise_scan *scan, int *result) {
    const char *word = scan->argv[optind];
    if (word[1] == '-') {
        __incise_option_rest = scan->argv[optind] + 2;
        *result = __incise_long_option(scan, "--");
        return true;
    }
    if (scan->only_long && (word[2] || !*__incise_option_place(scan->allowed, word[1]))) {
        *result = __incise_long_option(scan, "-");
        return *result != -1;
    }
    return false;
}

/* ---- Short options ------------------------------------------------------------------------------ */

/* Says that an option needs an argument, and gives the result of the scan. */
static int __incise_needs_argument(const struct __incise_scan *scan, char letter) {
    if (!scan->quiet) {
        fprintf(&__incise_stderr_stream, "%s: option requires an argument -- '%c'\n", scan->argv[0], letter);
    }
    optopt = letter;
    return *scan->allowed == ':' ? ':' : '?';
}

/* -W foo, which means --foo where "W;" is allowed. */
static int __incise_option_by_w(const struct __incise_scan *scan, char letter) {
    if (!*__incise_option_rest) {
        if (optind == scan->argc) {
            return __incise_needs_argument(scan, letter);
        }
        __incise_option_rest = scan->argv[optind];
    }
    struct __incise_scan plain = *scan;
    plain.only_long = false;
    return __incise_long_option(&plain, "-W ");
}

static int __incise_short_option(const struct __incise_scan *scan) {
    char letter = *__incise_option_rest++;
    const char *place = __incise_option_place(scan->allowed, letter);
    if (!*__incise_option_rest) {
        optind++;
    }
    if (!*place || letter == ':' || letter == ';') {
        if (!scan->quiet) {
            fprintf(&__incise_stderr_stream, "%s: invalid option -- '%c'\n", scan->argv[0], letter);
        }
        optopt = letter;
        return '?';
    }
    if (*place == 'W' && place[1] == ';' && scan->options) {
        return __incise_option_by_w(scan, letter);
    }
    if (place[1] != ':') {
        return letter;
    }
    int result = letter;
    if (*__incise_option_rest) {
        optarg = __incise_option_rest;
        optind++;
    } else if (place[2] != ':') {
        if (optind == scan->argc) {
            result = __incise_needs_argument(scan, letter);
        } else {
            optarg = scan->argv[optind++];
        }
    }
    __incise_option_rest = NULL;
    return result;
}

static void __incise_start_options(const char *allowed) {
    if (optind == 0) {
        optind = 1;
    }
    __incise_plain_start = __incise_plain_end = optind;
    __incise_option_rest = NULL;
    __incise_option_order = *allowed == '-'                            ? OPTIONS_IN_ORDER
                            : *allowed == '+'                          ? OPTIONS_UNTIL_PLAIN
                            : __incise_get_variable("POSIXLY_CORRECT") ? OPTIONS_UNTIL_PLAIN
                                                                       : OPTIONS_FIRST;
    __incise_options_started = true;
}

static int __incise_scan_options(struct __incise_scan *scan) {
    if (scan->argc < 1) {
        return -1;
    }
    optarg = NULL;
    if (optind == 0 || !__incise_options_started) {
        __incise_start_options(scan->allowed);
    }
    if (*scan->allowed == '-' || *scan->allowed == '+') {
        scan->allowed++;
    }
    scan->quiet = !opterr || *scan->allowed == ':';
    if (!__incise_option_rest || !*__incise_option_rest) {
        int result;
        if (!__incise_next_options(scan->argc, scan->argv, &result)) {
            return result;
        }
        if (scan->options && __incise_try_long_option(scan, &result)) {
            return result;
        }
    }
    return __incise_short_option(scan);
}

int getopt(int argc, char *const *arguments, const char *allowed) {
    struct __incise_scan scan = {argc, (char **)arguments, allowed, NULL, NULL, false, false};
    return __incise_scan_options(&scan);
}

int getopt_long(int argc, char *const *arguments, const char *allowed, const struct option *options, int *place) {
    struct __incise_scan scan = {argc, (char **)arguments, allowed, options, place, false, false};
    return __incise_scan_options(&scan);
}

int getopt_long_only(int argc, char *const *arguments, const char *allowed, const struct option *options, int *place) {
    struct __incise_scan scan = {argc, (char **)arguments, allowed, options, place, true, false};
    return __incise_scan_options(&scan);
}
