#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define INCISE_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(INCISE_SANITIZED)
#define INCISE_SANITIZED 1
#endif
#ifndef INCISE_SANITIZED
#define INCISE_SANITIZED 0
#endif

/* The seconds that one test may take. */
#define INCISE_SECONDS 60

enum incise_expectation { INCISE_RETURNS, INCISE_EXITS, INCISE_DIES, INCISE_ABORTS, INCISE_NEEDS_SANITIZER };
enum incise_result { INCISE_PASSED, INCISE_FAILED, INCISE_NOT_CHECKED };

struct incise_test {
    const char *name;
    /* Sets up the inputs and calls the function under test, in a process of its own. */
    void (*run)(void);
    /* Checks what variables and objects hold at the end. */
    void (*check_finals)(void);
    enum incise_expectation expectation;
    /* The exit status or the signal. */
    int number;
    const char *input;
    unsigned long input_size;
    const char *output;
    unsigned long output_size;
    /* Whether it runs in a folder of its own. */
    int has_files;
};

/* What the child process tells its parent, in shared memory. */
static struct incise_verdict { int returned, failures; char reason[256]; } *incise_verdict;
/* Why the last test failed or was not checked. */
static char incise_reason[256];

/* A copy of the bytes that is exactly as large, so that a sanitizer sees every step outside. */
static __attribute__((unused)) unsigned char *incise_object(const char *bytes, unsigned long size) {
    unsigned char *made = malloc(size);
    if (size > 0) memcpy(made, bytes, size);
    return made;
}

/* An address of its own, for a pointer that is not null and not followed. */
static __attribute__((unused)) unsigned char *incise_elsewhere(void) {
    return malloc(1);
}

static __attribute__((unused)) void incise_point(void *holder, unsigned long offset, void *target) {
    memcpy((unsigned char *)holder + offset, &target, sizeof target);
}

/* What the pointer in an object leads to, so many bytes before that; null if there is none. */
static __attribute__((unused)) unsigned char *incise_behind(const void *object, unsigned long offset,
                                                            unsigned long addend) {
    unsigned char *pointer = NULL;
    if (object) memcpy(&pointer, (const unsigned char *)object + offset, sizeof pointer);
    return pointer ? pointer - addend : NULL;
}

static __attribute__((unused)) void incise_check(const char *what, const void *address, const char *expected,
                                                 const char *comparable, unsigned long size) {
    const unsigned char *actual = address;
    if (!address) {
        if (incise_verdict->failures++ == 0)
            snprintf(incise_verdict->reason, sizeof incise_verdict->reason, "%s is not there", what);
        return;
    }
    for (unsigned long i = 0; i < size; i++)
        if (comparable[i] && actual[i] != (unsigned char)expected[i]) {
            if (incise_verdict->failures++ == 0)
                snprintf(incise_verdict->reason, sizeof incise_verdict->reason,
                         "%s: byte %lu is 0x%02x, expected 0x%02x", what, i, actual[i], (unsigned char)expected[i]);
            return;
        }
}

/* A file that the program finds in its folder. */
static __attribute__((unused)) void incise_file(const char *name, const char *bytes, unsigned long size) {
    FILE *file = fopen(name, "wb");
    if (!file) abort();
    fwrite(bytes, 1, size, file);
    fclose(file);
}

static void incise_file_differs(const char *name, const char *how) {
    if (incise_verdict->failures++ == 0)
        snprintf(incise_verdict->reason, sizeof incise_verdict->reason, "the file %s %s", name, how);
}

static __attribute__((unused)) void incise_check_file(const char *name, const char *expected, unsigned long size) {
    fflush(NULL);
    FILE *file = fopen(name, "rb");
    unsigned long at = 0;
    int c = EOF;
    if (!file) {
        incise_file_differs(name, "is not there");
        return;
    }
    while ((c = fgetc(file)) != EOF && at < size && c == (unsigned char)expected[at]) at++;
    if (c != EOF || at != size) incise_file_differs(name, "has another content");
    fclose(file);
}

static __attribute__((unused)) void incise_check_gone(const char *name) {
    if (access(name, F_OK) == 0) incise_file_differs(name, "is still there");
}

/* The streams among the inputs: each is open on a file without a name, and a second descriptor shows the file when the stream is closed. */
static struct { FILE *stream; int file, shown; } incise_streams[16];
static int incise_stream_count;

static __attribute__((unused)) unsigned char *incise_stream(const char *bytes, unsigned long size) {
    char name[] = "/tmp/incise-stream-XXXXXX";
    int file = mkstemp(name);
    if (file < 0 || incise_stream_count == 16) abort();
    unlink(name);
    for (unsigned long at = 0; at < size;) {
        long done = pwrite(file, bytes + at, size - at, (long)at);
        if (done <= 0) abort();
        at += (unsigned long)done;
    }
    FILE *stream = fdopen(file, "r+");
    if (!stream) abort();
    setvbuf(stream, NULL, _IONBF, 0);
    incise_streams[incise_stream_count].stream = stream;
    incise_streams[incise_stream_count].file = file;
    incise_streams[incise_stream_count++].shown = fcntl(file, F_DUPFD, 100);
    return (unsigned char *)stream;
}

/* Where a stream stands, whether it met the end or an error or is closed, and what is in its file. */
static __attribute__((unused)) void incise_check_stream(const char *what, const void *stream, const char *expected,
                                                        const char *comparable, unsigned long size) {
    for (int at = 0; at < incise_stream_count; at++) {
        if (incise_streams[at].stream != stream) continue;
        struct stat own, shown;
        int file = incise_streams[at].file;
        fstat(incise_streams[at].shown, &shown);
        int open = fstat(file, &own) == 0 && own.st_ino == shown.st_ino && own.st_dev == shown.st_dev;
        FILE *it = incise_streams[at].stream;
        long position = open ? ftell(it) : -1;
        unsigned flags = open ? (feof(it) ? 1u : 0u) | (ferror(it) ? 2u : 0u) : 4u;
        unsigned long actual_size = 12 + (unsigned long)shown.st_size;
        unsigned char *actual = calloc(1, actual_size + 1);
        memcpy(actual, &position, 8);
        memcpy(actual + 8, &flags, 4);
        if (pread(incise_streams[at].shown, actual + 12, actual_size - 12, 0) < 0) abort();
        if (actual_size != size) {
            if (incise_verdict->failures++ == 0)
                snprintf(incise_verdict->reason, sizeof incise_verdict->reason, "%s: the file has %lu bytes, expected %lu",
                         what, actual_size - 12, size - 12);
        } else {
            incise_check(what, actual, expected, comparable, size);
        }
        free(actual);
    }
}

/* Removes the folder of a test, which has no folders in it. */
static void incise_remove_folder(const char *folder) {
    DIR *files = opendir(folder);
    struct dirent *each;
    if (!files) return;
    while ((each = readdir(files))) unlinkat(dirfd(files), each->d_name, 0);
    closedir(files);
    rmdir(folder);
}

static __attribute__((unused)) void incise_returned(void) {
    incise_verdict->returned = 1;
    fflush(stdout);
    _exit(0);
}

static enum incise_result incise_failed(const char *why) {
    snprintf(incise_reason, sizeof incise_reason, "%s", why);
    return INCISE_FAILED;
}

static enum incise_result incise_compare(const struct incise_test *test, int status, FILE *out) {
    int died = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    int exited = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    int number = test->number, good = 0;
    if (test->expectation == INCISE_NEEDS_SANITIZER && !INCISE_SANITIZED) {
        incise_failed("compile with -fsanitize=address,undefined -fno-sanitize-recover");
        return INCISE_NOT_CHECKED;
    }
    if (died == SIGALRM) return incise_failed("the program took too long");
    switch (test->expectation) {
        case INCISE_RETURNS: good = incise_verdict->returned && exited == 0; break;
        case INCISE_EXITS: good = !incise_verdict->returned && exited == number; break;
        case INCISE_DIES: good = died == number || (INCISE_SANITIZED && exited > 0); break;
        /* A trap is an illegal instruction or a breakpoint. */
        case INCISE_ABORTS:
            good = died == number || died == SIGILL || died == SIGTRAP || (INCISE_SANITIZED && exited > 0);
            break;
        case INCISE_NEEDS_SANITIZER: good = died || exited > 0; break;
    }
    if (!good) {
        if (died) snprintf(incise_reason, sizeof incise_reason, "the program ended otherwise: signal %d", died);
        else if (incise_verdict->returned) incise_failed("the program ended otherwise: it returned");
        else snprintf(incise_reason, sizeof incise_reason, "the program ended otherwise: exit status %d", exited);
        return INCISE_FAILED;
    }
    if (incise_verdict->failures > 0) return incise_failed(incise_verdict->reason);
    if (test->expectation == INCISE_RETURNS || test->expectation == INCISE_EXITS) {
        rewind(out);
        for (unsigned long i = 0; i <= test->output_size; i++) {
            int wanted = i < test->output_size ? (unsigned char)test->output[i] : EOF;
            if (fgetc(out) != wanted) {
                snprintf(incise_reason, sizeof incise_reason, "standard output differs at byte %lu", i);
                return INCISE_FAILED;
            }
        }
    }
    return INCISE_PASSED;
}

/* A framework may handle signals in its own way, but here they tell how the program ended. */
static void incise_default_signals(void) {
    static const int signals[] = {SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
    for (unsigned long i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
}

/* Runs a test in a child process, so that it finds fresh variables and may end in any way. */
static enum incise_result incise_judge(const struct incise_test *test) {
    enum incise_result result;
    int status = 0;
    pid_t child = -1;
    FILE *in = tmpfile(), *out = tmpfile();
    incise_verdict = mmap(0, sizeof *incise_verdict, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char folder[] = "/tmp/incise-XXXXXX";
    int has_folder = test->has_files && mkdtemp(folder);
    if (in && out && has_folder == test->has_files && (void *)incise_verdict != MAP_FAILED) {
        fwrite(test->input, 1, test->input_size, in);
        rewind(in);
        fflush(NULL);
        child = fork();
    }
    if (child == 0) {
        dup2(fileno(in), 0);
        dup2(fileno(out), 1);
        incise_default_signals();
        alarm(INCISE_SECONDS);
        if (has_folder && chdir(folder)) _exit(126);
        if (test->expectation == INCISE_EXITS) atexit(test->check_finals);
        test->run();
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        result = incise_failed("there is no child process, memory or temporary file for the test");
    else
        result = incise_compare(test, status, out);
    if (has_folder) incise_remove_folder(folder);
    if (in) fclose(in);
    if (out) fclose(out);
    if ((void *)incise_verdict != MAP_FAILED) munmap(incise_verdict, sizeof *incise_verdict);
    return result;
}

