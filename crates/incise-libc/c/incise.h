/*
 * What all models share.
 *
 * The models are compiled at -O0, so a branch in the source is a fork of the symbolic executor
 * and nothing else is. That is why they are written the way they are: conditions on data are
 * joined with & and | instead of && and ||, a choice between two values is arithmetic
 * instead of ?: where that is natural, and positions in a string stay concrete because each
 * path knows where it stands.
 *
 * Helpers are static and start with __incise_, so they cannot meet a name of the program.
 * Models call helpers, not each other's public names, because a program may define its own.
 */
#ifndef INCISE_H
#define INCISE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef long ssize_t;
typedef unsigned char byte;

#define ENOENT_NUMBER 2
#define EIO_NUMBER 5
#define EBADF_NUMBER 9
#define ENOMEM_NUMBER 12
#define EACCES_NUMBER 13
#define EFAULT_NUMBER 14
#define EEXIST_NUMBER 17
#define ENOTDIR_NUMBER 20
#define EINVAL_NUMBER 22
#define ENOTTY_NUMBER 25
#define ENOSPC_NUMBER 28
#define ESPIPE_NUMBER 29
#define ERANGE_NUMBER 34
#define EOVERFLOW_NUMBER 75

#define EOF (-1)

/* Executed by the engine itself. */
void *malloc(size_t size);
void *realloc(void *block, size_t size);
void free(void *block);
void *memcpy(void *target, const void *source, size_t count);
void *memmove(void *target, const void *source, size_t count);
void *memset(void *target, int value, size_t count);

/* The path goes on where two ranges have no byte in common; else it is an error to copy from one to the other. */
void __incise_apart(const void *target, size_t target_size, const void *source, size_t source_size);

/* How many bytes the standard input holds, which may be symbolic, and one of them as 0 to 255. */
long __incise_stdin_size(void);
/* Tells the engine that standard input ended at that position, or LONG_END if its length was asked for; that nothing of that name is there. */
#define LONG_END 0x7fffffffffffffffl
void __incise_stdin_ended(long position);
void __incise_no_variable(const char *name);
void __incise_no_file(const char *name);
/* The same of a file that was given, by its name. */
void __incise_ended_file(const char *name, long position);
/* Does nothing: a branch that settles something is no choice between two values. */
void __incise_settled(void);
long __incise_whole_stdin(void);
int __incise_stdin_byte(long index);

/* Appends to what the program wrote to descriptor 1 or 2. */
void __incise_output(int descriptor, const char *bytes, unsigned long count);

/* Nobody defines this: the path ends as one that needs an external function. */
_Noreturn void __incise_unsupported(const char *what);

/* One conversion of a concrete floating-point value; `specification` is as in "%-8.3f". */
int __incise_format_double(char *buffer, unsigned long size, const char *specification, double value);

/* Whether two names are the same, as one condition; and a copy of one, which is never freed. */
int __incise_same_name(const char *one, const char *other);
char *__incise_keep_name(const char *name);

/* Is the value an expression over inputs? */
unsigned klee_is_symbolic(uintptr_t value);

extern _Thread_local int __incise_errno;

/* ---- Facts about bytes, without a branch ------------------------------------------------- */

#define INLINE static inline __attribute__((always_inline))

INLINE unsigned __incise_is_space(int c) {
    return (unsigned)(c == ' ') | (unsigned)((unsigned)c - 9u < 5u);
}

INLINE unsigned __incise_is_digit(int c) { return (unsigned)c - '0' < 10u; }

/* For bytes and EOF; the ctype function has a wider domain. */
INLINE int __incise_lower(int c) { return c | (int)((unsigned)((unsigned)c - 'A' < 26u) << 5); }

INLINE unsigned __incise_is_xdigit(int c) {
    return (unsigned)((unsigned)c - '0' < 10u) | (unsigned)(((unsigned)c | 32u) - 'a' < 6u);
}

/* All ones where `condition` is 1, all zeros where it is 0. */
INLINE uint64_t __incise_mask(unsigned condition) { return (uint64_t)0 - condition; }

/* ---- Shared between the models of numbers and of formatted input -------------------------- */

struct __incise_number {
    uint64_t value;
    unsigned base;
    unsigned digits;
    /* This many digits of the base cannot exceed 63 bits, so no check is needed for them. */
    unsigned safe_digits;
    unsigned overflow;
};

void __incise_number_start(struct __incise_number *number, unsigned base);
void __incise_number_add(struct __incise_number *number, unsigned digit);
long __incise_number_signed(const struct __incise_number *number, bool negative);
unsigned long __incise_number_unsigned(const struct __incise_number *number, bool negative);
unsigned __incise_digit_value(int c, unsigned base);

double __incise_to_double(const char *text, char **end);
float __incise_to_float(const char *text, char **end);

/* ---- Streams ------------------------------------------------------------------------------ */

/*
 * As large as glibc's and with the same meaning where its headers look inside: the flags
 * for feof_unlocked and ferror_unlocked, and null pointers so that the inline getc and putc
 * call __uflow and __overflow. The two lowest bits of the first member are the descriptor, or 3 for a file, whose
 * descriptor is further down. A standard stream that was opened again for a file shows the number that it had before.
 */
struct __incise_file {
    int descriptor_and_flags;
    int shown; /* the number that fileno() gives, and one more; 0 if it is that of the file */
    void *buffer_pointers[13];
    int descriptor;
    int flags_again;
    char rest[96];
};
typedef struct __incise_file FILE;

/* Bytes that were pushed back, the last one first. */
#define PUSHED_LIMIT 16
struct __incise_pushed {
    int count;
    byte bytes[PUSHED_LIMIT];
};

#define STREAM_DESCRIPTOR 3
#define STREAM_FILE 3
#define STREAM_END 0x10
#define STREAM_ERROR 0x20

/* How a descriptor is open (files.c). */
#define STREAM_READS 1
#define STREAM_WRITES 2

extern FILE __incise_stdin_stream;
int __incise_get(FILE *stream);
int __incise_unget(int c, FILE *stream);

/* Of files.c: only a program that can open files has them. */
int __incise_file_get(FILE *stream);
int __incise_file_unget(int c, FILE *stream);
int __incise_file_close_stream(FILE *stream);
long __incise_file_seek_stream(FILE *stream, long offset, int from);
long __incise_file_tell_stream(FILE *stream);
ssize_t __incise_file_read(int descriptor, void *block, size_t count);
ssize_t __incise_file_write(int descriptor, const void *block, size_t count);
long __incise_file_seek(int descriptor, long offset, int from);
int __incise_file_close(int descriptor);
long __incise_file_size(int descriptor);
int __incise_file_how(int descriptor);

/* Which descriptor of a file is behind 0, 1 or 2, since the program opened a standard stream again. */
extern int __incise_redirected[3];

INLINE int __incise_actual(int descriptor) {
    if ((unsigned)descriptor <= 2 && __incise_redirected[descriptor]) {
        return __incise_redirected[descriptor];
    }
    return descriptor;
}

#endif
