/* Linkage of all kinds, aliases, constructors, sections, static locals, weak symbols, string and compound literals. */
#include <stdio.h>
extern int declared;
int common_variable;
static int hidden = 3;
const char literal[] = "with \"quotes\", \\ and \x01\xff";
const char *const strings[] = {"a", "b", literal + 3};
__attribute__((weak)) int weak_function(void) { return 1; }
extern int weak_reference(void) __attribute__((weak));
__attribute__((visibility("hidden"))) int hidden_function(void) { return hidden++; }
__attribute__((section("special"), used)) static int placed = 5;
static int original(int x) { static int calls; return x + ++calls; }
int another_name(int x) __attribute__((alias("original_exported")));
int original_exported(int x) { return original(x) + declared; }
__attribute__((constructor(101))) static void early(void) { hidden = 4; }
__attribute__((constructor)) static void late(void) { common_variable = hidden; }
__attribute__((destructor)) static void last(void) { puts("bye"); }
inline int inlined(int x) { return x * 2; }
extern inline int inlined(int x);
static inline __attribute__((always_inline)) int forced(int x) { int doubled = x * 2; return doubled; }
int uses(int x) { return forced(x) + inlined(x) + (weak_reference ? weak_reference() : weak_function()); }
int *compound = (int[]){1, 2, 3};
unsigned short *wide_text = (unsigned short *)u"wide";
int same_name(void) { static int x = 1; { static int x = 2; return x++; } }
__attribute__((noinline, cold, malloc)) void *annotated(unsigned long n) { return __builtin_malloc(n); }
