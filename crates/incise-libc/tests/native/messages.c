/* error() and err() and their like, against the C library: what they write, and whether they come back. */
#define _GNU_SOURCE
#include "check.h"
#include <err.h>
#include <errno.h>
#include <error.h>

void model_error(int, int, const char *, ...);
void model_error_at_line(int, int, const char *, unsigned, const char *, ...);
void model_warn(const char *, ...);
void model_warnx(const char *, ...);
void model_err(int, const char *, ...);
void model_errx(int, const char *, ...);
extern unsigned model_error_message_count;
extern int model_error_one_per_line;
extern char *model_program_invocation_name;

struct message {
    int which, status, number, one_per_line;
};

static void library_message(void *argument) {
    const struct message *message = argument;
    program_invocation_name = program_invocation_short_name = "program";
    error_one_per_line = message->one_per_line;
    errno = message->number;
    switch (message->which) {
    case 0: error(message->status, message->number, "%s and %d", "word", 7); break;
    case 1:
        for (int time = 0; time < 3; time++) {
            error_at_line(0, message->number, time < 2 ? "file.c" : NULL, 12, "at %d", time);
        }
        error_at_line(message->status, 0, "other.c", 12, "last");
        break;
    case 2: warn("%d", 3); break;
    case 3: warnx("%s", "x"); break;
    case 4: err(message->status, "status %d", message->status); break;
    case 5: errx(message->status, "status"); break;
    default: warn(NULL);
    }
}

static void model_message(const struct message *message) {
    model_error_one_per_line = message->one_per_line;
    *model___errno_location() = message->number;
    switch (message->which) {
    case 0: model_error(message->status, message->number, "%s and %d", "word", 7); break;
    case 1:
        for (int time = 0; time < 3; time++) {
            model_error_at_line(0, message->number, time < 2 ? "file.c" : NULL, 12, "at %d", time);
        }
        model_error_at_line(message->status, 0, "other.c", 12, "last");
        break;
    case 2: model_warn("%d", 3); break;
    case 3: model_warnx("%s", "x"); break;
    case 4: model_err(message->status, "status %d", message->status); break;
    case 5: model_errx(message->status, "status"); break;
    default: model_warn(NULL);
    }
}

void check_messages(void) {
    static const int numbers[] = {0, ENOENT, EINVAL, 9999};
    CHECK(!strcmp(model_program_invocation_name, "program"), "program_invocation_name");
    for (volatile int which = 0; which < 7; which++) {
        for (volatile int at = 0; at < 16; at++) {
            struct message message = {which, at / 4 % 2 * 3, numbers[at % 4], at / 8};
            volatile int status = 0;
            int left = setjmp(model_left);
            if (!left) {
                model_message(&message);
            } else {
                status = left - 1000;
            }
            int expected_status;
            const char *said = written_by_models(), *expected = written_by_library(library_message, &message, &expected_status);
            CHECK(!strcmp(said, expected) && status == expected_status, "%d: (%d) %s, not (%d) %s", which, expected_status,
                  expected, status, said);
        }
    }
    CHECK(model_error_message_count == 16 + 16 * 4 - 8, "%u messages were counted", model_error_message_count);
}
