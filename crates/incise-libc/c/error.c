/*
 * error.h and err.h: messages on standard error that begin with the name of the program.
 *
 * Standard output goes out at once here, as in native replays, so there is nothing to flush before a message.
 */
#include "incise.h"

int vfprintf(FILE *stream, const char *format, va_list list);
int fprintf(FILE *stream, const char *format, ...);
int fputs(const char *text, FILE *stream);
_Noreturn void exit(int status);
extern FILE __incise_stderr_stream;

/* What replays call the program (start.rs). */
char *program_invocation_name = "program";
char *program_invocation_short_name = "program";

unsigned error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);

static void __incise_say_program(const char *separator) {
    if (error_print_progname) {
        error_print_progname();
    } else {
        fprintf(&__incise_stderr_stream, "%s:%s", program_invocation_name, separator);
    }
}

/* What stands behind the message; does not come back if there is a status. */
static void __incise_end_message(int status, int number) {
    error_message_count++;
    if (number) {
        char unknown[32];
        fprintf(&__incise_stderr_stream, ": %s", __incise_error_text(number, unknown));
    }
    fputs("\n", &__incise_stderr_stream);
    if (status) {
        exit(status);
    }
}

void error(int status, int number, const char *format, ...) {
    va_list list;
    va_start(list, format);
    __incise_say_program(" ");
    vfprintf(&__incise_stderr_stream, format, list);
    va_end(list);
    __incise_end_message(status, number);
}

static bool __incise_same_place(const char *file, unsigned line) {
    static const char *last_file;
    static unsigned last_line;
    bool same = last_line == line;
    if (same && last_file != file) {
        same = last_file && file && __incise_same_name(last_file, file);
    }
    last_file = file;
    last_line = line;
    return same;
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) {
    /* One message a line is enough, if the program says so. */
    if (error_one_per_line && __incise_same_place(file, line)) {
        return;
    }
    va_list list;
    va_start(list, format);
    __incise_say_program("");
    if (file) {
        fprintf(&__incise_stderr_stream, "%s:%u: ", file, line);
    } else {
        fputs(" ", &__incise_stderr_stream);
    }
    vfprintf(&__incise_stderr_stream, format, list);
    va_end(list);
    __incise_end_message(status, number);
}

/* ---- err.h -------------------------------------------------------------------------------------- */

static void __incise_warn(int number, const char *format, va_list list) {
    fprintf(&__incise_stderr_stream, "%s: ", program_invocation_short_name);
    if (format) {
        vfprintf(&__incise_stderr_stream, format, list);
    }
    if (number >= 0) {
        char unknown[32];
        fprintf(&__incise_stderr_stream, "%s%s", format ? ": " : "", __incise_error_text(number, unknown));
    }
    fputs("\n", &__incise_stderr_stream);
}

void vwarn(const char *format, va_list list) { __incise_warn(__incise_errno, format, list); }

void vwarnx(const char *format, va_list list) { __incise_warn(-1, format, list); }

void warn(const char *format, ...) {
    va_list list;
    va_start(list, format);
    __incise_warn(__incise_errno, format, list);
    va_end(list);
}

void warnx(const char *format, ...) {
    va_list list;
    va_start(list, format);
    __incise_warn(-1, format, list);
    va_end(list);
}

_Noreturn void verr(int status, const char *format, va_list list) {
    __incise_warn(__incise_errno, format, list);
    exit(status);
}

_Noreturn void verrx(int status, const char *format, va_list list) {
    __incise_warn(-1, format, list);
    exit(status);
}

_Noreturn void err(int status, const char *format, ...) {
    va_list list;
    va_start(list, format);
    __incise_warn(__incise_errno, format, list);
    va_end(list);
    exit(status);
}

_Noreturn void errx(int status, const char *format, ...) {
    va_list list;
    va_start(list, format);
    __incise_warn(-1, format, list);
    va_end(list);
    exit(status);
}
