/*
 * What a program under test finds around it, where that is not simply what the system has: the clock is an input of the
 * test, the time zone is UTC, and there are no files but those of the folder in which the test runs.
 *
 * `incise replay` renames the calls of the program (src/replay/native.rs). Streams have no buffer, as in the
 * models (files.c of incise-libc): what was written is in the file at once. With a sanitizer, a stream that was
 * closed is recognised: the C library itself is not instrumented.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

extern void incise_take(const char *kind, void *target, unsigned long size);

#define WORLD(name) incise_world_##name

/* ---- The clock -------------------------------------------------------------------------------- */

static long answer(void) {
    long value;
    incise_take("time", &value, sizeof value);
    return value;
}

time_t WORLD(time)(time_t *target) {
    time_t now = answer();
    if (target) *target = now;
    return now;
}

clock_t WORLD(clock)(void) { return answer(); }

int WORLD(gettimeofday)(struct timeval *now, void *zone) {
    (void)zone;
    if (now) {
        now->tv_sec = answer();
        now->tv_usec = answer();
    }
    return 0;
}

int WORLD(clock_gettime)(clockid_t which, struct timespec *now) {
    if ((unsigned)which > 11) {
        errno = EINVAL;
        return -1;
    }
    now->tv_sec = answer();
    now->tv_nsec = answer();
    return 0;
}

int WORLD(timespec_get)(struct timespec *now, int base) {
    if (base != TIME_UTC) return 0;
    now->tv_sec = answer();
    now->tv_nsec = answer();
    return base;
}

struct tm *WORLD(localtime)(const time_t *time) { return gmtime(time); }
struct tm *WORLD(localtime_r)(const time_t *time, struct tm *result) { return gmtime_r(time, result); }
time_t WORLD(mktime)(struct tm *date) { return timegm(date); }

/* ---- The machine -------------------------------------------------------------------------------- */

/* The same everywhere, as the models have it (system.c of incise-libc). */
long WORLD(sysconf)(int what) {
    switch (what) {
    case _SC_OPEN_MAX: return 1024;
    case _SC_NPROCESSORS_CONF: return 1;
    case _SC_NPROCESSORS_ONLN: return 1;
    case _SC_PHYS_PAGES: return 1 << 18;
    case _SC_AVPHYS_PAGES: return 1 << 17;
    default: return sysconf(what);
    }
}

/* ---- Names of files ---------------------------------------------------------------------------- */

static int elsewhere(const char *name) {
    if (*name && !strchr(name, '/') && strcmp(name, ".") && strcmp(name, "..")) return 0;
    errno = ENOENT;
    return 1;
}

static int opened(const char *name, int flags) { return elsewhere(name) ? -1 : open(name, flags, 0644); }
int WORLD(open)(const char *name, int flags, ...) { return opened(name, flags); }
int WORLD(open64)(const char *name, int flags, ...) { return opened(name, flags); }
int WORLD(creat)(const char *name, unsigned mode) {
    (void)mode;
    return opened(name, O_WRONLY | O_CREAT | O_TRUNC);
}
int WORLD(remove)(const char *name) { return elsewhere(name) ? -1 : remove(name); }
int WORLD(unlink)(const char *name) { return elsewhere(name) ? -1 : unlink(name); }
int WORLD(rename)(const char *old, const char *new) {
    if (elsewhere(old)) return -1;
    if (access(old, F_OK)) return -1;
    return elsewhere(new) ? -1 : rename(old, new);
}
int WORLD(access)(const char *name, int how) {
    if (elsewhere(name) || access(name, F_OK)) return -1;
    /* The super-user may do more than others. */
    if (how & X_OK) {
        errno = EACCES;
        return -1;
    }
    return 0;
}

/* What differs from machine to machine is zero. */
static int described(int answer, struct stat *known) {
    if (answer) return answer;
    off_t size = known->st_size;
    memset(known, 0, sizeof *known);
    known->st_nlink = 1;
    known->st_mode = S_IFREG | 0644;
    known->st_blksize = 4096;
    known->st_size = size;
    return 0;
}
int WORLD(stat)(const char *name, struct stat *known) {
    return elsewhere(name) ? -1 : described(stat(name, known), known);
}
int WORLD(stat64)(const char *name, struct stat *known) { return WORLD(stat)(name, known); }
int WORLD(lstat)(const char *name, struct stat *known) { return WORLD(stat)(name, known); }
int WORLD(lstat64)(const char *name, struct stat *known) { return WORLD(stat)(name, known); }
int WORLD(fstat)(int descriptor, struct stat *known) {
    int answer = fstat(descriptor, known);
    /* How much was printed so far is nobody's input. */
    if (descriptor == 1 || descriptor == 2) known->st_size = 0;
    return described(answer, known);
}
int WORLD(fstat64)(int descriptor, struct stat *known) { return WORLD(fstat)(descriptor, known); }

/* ---- Streams ------------------------------------------------------------------------------------ */

#ifdef INCISE_SANITIZED
extern void *__asan_region_is_poisoned(void *start, unsigned long size);
extern void __asan_report_load4(void *address);
static FILE *checked(FILE *stream) {
    if (stream && __asan_region_is_poisoned(stream, 4)) __asan_report_load4(stream);
    return stream;
}
#else
static FILE *checked(FILE *stream) { return stream; }
#endif

static FILE *unbuffered(FILE *stream) {
    if (stream) setvbuf(stream, 0, _IONBF, 0);
    return stream;
}

FILE *WORLD(fopen)(const char *name, const char *mode) {
    return elsewhere(name) ? 0 : unbuffered(fopen(name, mode));
}
FILE *WORLD(fopen64)(const char *name, const char *mode) { return WORLD(fopen)(name, mode); }
FILE *WORLD(freopen)(const char *name, const char *mode, FILE *stream) {
    if (name && !elsewhere(name)) return unbuffered(freopen(name, mode, stream));
    /* A name that is not there: the stream is closed. */
    freopen("/nowhere/at/all", mode, stream);
    errno = ENOENT;
    return 0;
}
FILE *WORLD(freopen64)(const char *name, const char *mode, FILE *stream) { return WORLD(freopen)(name, mode, stream); }
FILE *WORLD(fdopen)(int descriptor, const char *mode) { return unbuffered(fdopen(descriptor, mode)); }

static int is_standard(FILE *stream) { return stream == stdin || stream == stdout || stream == stderr; }
int WORLD(setvbuf)(FILE *stream, char *buffer, int mode, size_t size) {
    (void)stream, (void)buffer, (void)size;
    return (unsigned)mode <= 2 ? 0 : -1;
}
void WORLD(setbuf)(FILE *stream, char *buffer) { (void)stream, (void)buffer; }
void WORLD(setlinebuf)(FILE *stream) { (void)stream; }

/* A standard stream stays open, so that what was printed before is seen. */
int WORLD(fclose)(FILE *stream) { return is_standard(stream) ? 0 : fclose(checked(stream)); }
int WORLD(fflush)(FILE *stream) { return fflush(checked(stream)); }
int WORLD(fgetc)(FILE *stream) { return fgetc(checked(stream)); }
int WORLD(getc)(FILE *stream) { return fgetc(checked(stream)); }
char *WORLD(fgets)(char *line, int size, FILE *stream) { return fgets(line, size, checked(stream)); }
size_t WORLD(fread)(void *block, size_t size, size_t count, FILE *stream) {
    return fread(block, size, count, checked(stream));
}
ssize_t WORLD(getline)(char **line, size_t *size, FILE *stream) { return getline(line, size, checked(stream)); }
int WORLD(ungetc)(int c, FILE *stream) { return ungetc(c, checked(stream)); }
int WORLD(fputc)(int c, FILE *stream) { return fputc(c, checked(stream)); }
int WORLD(putc)(int c, FILE *stream) { return fputc(c, checked(stream)); }
int WORLD(fputs)(const char *text, FILE *stream) { return fputs(text, checked(stream)); }
size_t WORLD(fwrite)(const void *block, size_t size, size_t count, FILE *stream) {
    return fwrite(block, size, count, checked(stream));
}
int WORLD(fprintf)(FILE *stream, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vfprintf(checked(stream), format, list);
    va_end(list);
    return length;
}
int WORLD(fseek)(FILE *stream, long offset, int from) { return fseek(checked(stream), offset, from); }
long WORLD(ftell)(FILE *stream) { return ftell(checked(stream)); }
