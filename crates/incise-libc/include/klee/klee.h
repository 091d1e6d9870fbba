/*
 * The intrinsics that programs written for KLEE call, as Incise understands them.
 *
 * `incise run` puts this header on the include path, so a program that says
 * `#include <klee/klee.h>` (or "klee/klee.h") compiles unchanged. The functions have no body:
 * the executor knows each by its name. Under `incise replay` the driver supplies bodies that
 * read the inputs of one test.
 */
#ifndef INCISE_KLEE_KLEE_H
#define INCISE_KLEE_KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Inputs ---------------------------------------------------------------------------- */

/* Makes the `size` bytes at `address` an input called `name`. The bytes must be exactly one
   object: a variable, or a block as malloc returned it. */
void klee_make_symbolic(void *address, size_t size, const char *name);

/* A new input of type int that is at least `first` and below `end`. */
int klee_range(int first, int end, const char *name);

/* A new input of type int without restriction. */
int klee_int(const char *name);

/* ---- Restricting and ending paths ------------------------------------------------------- */

/* Goes on only where `condition` is not zero. */
void klee_assume(uintptr_t condition);

/* Asks for test values that satisfy `condition` where the path allows it; never cuts a path. */
void klee_prefer_cex(void *object, uintptr_t condition);

/* Ends the path without a finding and without a test. */
__attribute__((noreturn)) void klee_silent_exit(int status);

/* Ends the path with an 'abort' error. */
__attribute__((noreturn)) void klee_abort(void);

/* Ends the path with an error of the given place, text and file name suffix. */
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message,
                                                 const char *suffix);

/* What a failed klee_assert calls; the C library's assert uses the same function. */
#ifdef __cplusplus
__attribute__((noreturn)) extern void __assert_fail(const char *expression, const char *file,
                                                    unsigned int line,
                                                    const char *function) throw();
#else
__attribute__((noreturn)) extern void __assert_fail(const char *expression, const char *file,
                                                    unsigned int line, const char *function);
#endif

/* As assert, but NDEBUG does not take it out. */
#define klee_assert(expression)                                                                   \
    ((expression) ? (void)(0) : __assert_fail(#expression, __FILE__, __LINE__, __func__))

/* ---- Values ----------------------------------------------------------------------------- */

/* Is `value` an expression over inputs (1), or already a constant (0)? */
unsigned klee_is_symbolic(uintptr_t value);

/* 1 under a native replay of a test, 0 while Incise explores. */
unsigned klee_is_replay(void);

/* One value that the expression can have on this path, without binding the path to it. */
float klee_get_valuef(float expression);
double klee_get_valued(double expression);
long klee_get_valuel(long expression);
long long klee_get_valuell(long long expression);
int32_t klee_get_value_i32(int32_t expression);
int64_t klee_get_value_i64(int64_t expression);

/* ---- Memory ----------------------------------------------------------------------------- */

/* Declares that the `size` bytes at the fixed `address` are memory of the program. */
void klee_define_fixed_object(void *address, size_t size);

/* An error unless the `size` bytes at `address` may be accessed. */
void klee_check_memory_access(const void *address, size_t size);

/* The program's errno. */
int klee_get_errno(void);

/* ---- Talking to the person who runs the program ------------------------------------------ */

void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_print_expr(const char *message, ...);
void klee_stack_trace(void);

/* ---- Hints to the exploration ------------------------------------------------------------ */

/* States that split between the two calls may be joined again at the second. A hint only:
   the set of behaviours is the same with and without. */
void klee_open_merge(void);
void klee_close_merge(void);

#ifdef __cplusplus
}
#endif

#endif
