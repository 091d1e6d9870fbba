/* Runs one comparison of the models with the C library, and stands in for the engine. */
#include "check.h"
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

int failures;
long comparisons;
const char *input_text = "";
long input_size;
static char output[3][4096];
static unsigned long output_length[3];

long __incise_stdin_size(void) { return input_size; }

int __incise_stdin_byte(long index) { return (unsigned char)input_text[index]; }

void __incise_output(int descriptor, const char *bytes, unsigned long count) {
    memcpy(output[descriptor] + output_length[descriptor], bytes, count);
    output_length[descriptor] += count;
}

const char *written_by_models(void) {
    static char text[4096];
    memcpy(text, output[2], output_length[2]);
    text[output_length[2]] = 0;
    output_length[2] = 0;
    return text;
}

/* Streams of the models: their first word is the descriptor. */
int engine_vfprintf(FILE *stream, const char *format, va_list list) {
    char text[1024];
    int length = vsnprintf(text, sizeof text, format, list);
    __incise_output(*(int *)stream & 3, text, (unsigned long)length);
    return length;
}

int engine_fprintf(FILE *stream, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = engine_vfprintf(stream, format, list);
    va_end(list);
    return length;
}

int engine_fputs(const char *text, FILE *stream) {
    __incise_output(*(int *)stream & 3, text, strlen(text));
    return 1;
}

jmp_buf model_left;

_Noreturn void engine_exit(int status) { longjmp(model_left, status + 1000); }

const char *written_by_library(void (*run)(void *), void *argument, int *status) {
    static char text[4096];
    int ends[2];
    fflush(stdout);
    if (pipe(ends)) {
        return "no pipe";
    }
    pid_t child = fork();
    if (!child) {
        dup2(ends[1], 2);
        run(argument);
        fflush(stderr);
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t count; (count = read(ends[0], text + length, sizeof text - 1 - length)) > 0;) {
        length += (size_t)count;
    }
    close(ends[0]);
    text[length] = 0;
    int how = 0;
    waitpid(child, &how, 0);
    *status = WEXITSTATUS(how);
    return text;
}

void __incise_unsupported(const char *what) {
    printf("a model stopped: %s\n", what);
    exit(3);
}

unsigned klee_is_symbolic(uintptr_t value) {
    (void)value;
    return 0;
}

int __incise_format_double(char *buffer, unsigned long size, const char *specification, double value) {
    return snprintf(buffer, size, specification, value);
}

void __incise_apart(const void *target, size_t target_size, const void *source, size_t source_size) {
    (void)target, (void)target_size, (void)source, (void)source_size;
}
int __incise_same_name(const char *one, const char *other) { return !strcmp(one, other); }

int __incise_plain_name(const char *name) {
    return *name && !strchr(name, '/') && strcmp(name, ".") && strcmp(name, "..");
}

char *__incise_keep_name(const char *name) { return strdup(name); }

void __incise_changed(void) {}
void __incise_stdin_ended(long position) { (void)position; }
void __incise_no_variable(const char *name) { (void)name; }
void __incise_no_file(const char *name) { (void)name; }
void __incise_ended_file(const char *name, long position) {
    (void)name;
    (void)position;
}
void __incise_settled(void) {}
void __incise_moved(void) {}

/* The clock says what is asked of it at least, and sometimes more. */
long __incise_now(const char *name, long first, long end) {
    (void)name;
    long later = first + (long)below(3);
    return later < end ? later : end - 1;
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(void);
    } checks[] = {
        {"strings", check_strings}, {"ctype", check_ctype},   {"numbers", check_numbers},
        {"floats", check_floats},   {"math", check_math}, {"stdlib", check_stdlib}, {"format", check_format},
        {"scan", check_scan},       {"stdio", check_stdio},   {"options", check_options},
        {"files", check_files},     {"environment", check_environment}, {"clock", check_clock},
        {"messages", check_messages}, {"locales", check_locales}, {"wide", check_wide}, {"system", check_system},
    };
    for (unsigned at = 0; at < sizeof checks / sizeof *checks; at++) {
        if (count == 2 && !strcmp(arguments[1], checks[at].name)) {
            checks[at].run();
            printf("%ld comparisons, %d failures\n", comparisons, failures);
            return failures || !comparisons;
        }
    }
    printf("no such check\n");
    return 2;
}
