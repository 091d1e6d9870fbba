/* What the comparisons of models with the C library share. */
#ifndef CHECK_H
#define CHECK_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int failures;
extern long comparisons;

/* Counts a comparison; prints the first failures. */
#define CHECK(condition, ...)                                                                     \
    do {                                                                                          \
        comparisons++;                                                                            \
        if (!(condition) && failures++ < 40) {                                                    \
            printf("%s:%d: ", __FILE__, __LINE__);                                                \
            printf(__VA_ARGS__);                                                                  \
            printf("\n");                                                                         \
        }                                                                                         \
    } while (0)

/* A fixed sequence, so that a failure comes again. */
static uint64_t check_state = 88172645463325252ull;

static inline uint64_t next_random(void) {
    check_state ^= check_state << 13;
    check_state ^= check_state >> 7;
    check_state ^= check_state << 17;
    return check_state;
}

static inline unsigned below(unsigned limit) { return (unsigned)(next_random() >> 33) % limit; }

/* A string of at most `longest` bytes of an alphabet. */
static inline void random_text(char *target, unsigned longest, const char *alphabet) {
    unsigned length = below(longest + 1);
    unsigned letters = (unsigned)strlen(alphabet);
    for (unsigned at = 0; at < length; at++) {
        target[at] = alphabet[below(letters)];
    }
    target[length] = 0;
}

void check_strings(void);
void check_ctype(void);
void check_numbers(void);
void check_floats(void);
void check_math(void);
void check_stdlib(void);
void check_format(void);
void check_scan(void);
void check_stdio(void);
void check_options(void);
void check_files(void);
void check_environment(void);
void check_clock(void);
void check_messages(void);
void check_locales(void);
void check_wide(void);
void check_system(void);

/* What the models wrote to standard error since it was asked for the last time. */
const char *written_by_models(void);
/* Where a model that leaves the program comes to: setjmp() gives the status and 1000. */
extern jmp_buf model_left;
/* What the C library wrote to standard error while it ran; its status if it left the program, else 0. */
const char *written_by_library(void (*run)(void *), void *argument, int *status);

/* What the models read as the standard input. */
extern const char *input_text;
extern long input_size;
void restart_input(const char *text);

extern int *model___errno_location(void);

#endif
