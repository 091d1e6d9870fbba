/* What programs do natively at the places that are marked: they record statements, and stop where something fails. */
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

enum { RETURNED, EXITED, ABORTED, DIVIDED, OUTSIDE, NOWHERE };
enum { MOST_VISITS = 1 << 16, LEAVE = 14, ENTERED = 15 };

static struct {
    unsigned visits[MOST_VISITS];
    unsigned count;
    int kind, value;
    unsigned line;
    unsigned written;
    unsigned long output;
    jmp_buf out;
} judge;
static unsigned run;

static inline void visit(unsigned line, unsigned part) {
    if (judge.count == MOST_VISITS) {
        __builtin_trap();
    }
    judge.visits[judge.count++] = line << 4 | part;
}

static inline void leave(int *entered) {
    (void)entered;
    visit(0, LEAVE);
}

static inline void stop(int kind, unsigned line, int value) {
    judge.kind = kind;
    judge.line = line;
    judge.value = value;
    longjmp(judge.out, 1);
}

static inline void need(int holds, int kind, unsigned line) {
    if (!holds) {
        stop(kind, line, 0);
    }
}

static inline void out(int character) {
    judge.written++;
    judge.output = judge.output * 1000003 + character;
}

#define T(part) visit(__LINE__, part)
#define C(part, e) (visit(__LINE__, part), (e))
#define J(part, e) ({ __typeof__(e) joined = (e); visit(__LINE__, part); joined; })
#define ENTER int entered __attribute__((cleanup(leave))) = (visit(__LINE__, ENTERED), 0)
/* A variable that keeps its value for the time of one run. */
#define STATIC(name, value) static int name; static unsigned name##_run; \
    if (name##_run != run) { name = value; name##_run = run; }
#define DIV(a, operator, b) (need((b) != 0, DIVIDED, __LINE__), (a) operator (b))
#define IX(i, size) (need((i) >= 0 && (i) < (size), OUTSIDE, __LINE__), (i))
#define P(p) (need((p) != 0, NOWHERE, __LINE__), (p))
#define OUT(character) out(character)
#define abort() stop(ABORTED, __LINE__, 0)
#define exit(status) stop(EXITED, __LINE__, (status))
