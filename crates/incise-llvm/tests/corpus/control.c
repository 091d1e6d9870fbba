/* Loops, switches, gotos computed and plain, recursion, function pointers, variable-length arrays, setjmp-free control. */
#include <stdlib.h>
#include <string.h>
int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
int dense(int x) { switch (x) { case 0: return 5; case 1: return 7; case 2: return 11; case 3: return 13; case 4: return 17; default: return -1; } }
int sparse(long x) { switch (x) { case -5: x++; /* falls through */ case 1000000007L: return 1; case 5 ... 9: return 2; } return 0; }
int boolean(_Bool b) { switch (b) { case 0: return 3; case 1: return 4; } return 5; }
int computed(const char *code) {
  static void *labels[] = {&&add, &&sub, &&stop};
  int acc = 0;
  goto *labels[*code++ % 3];
add: acc++; goto *labels[*code++ % 3];
sub: acc--; goto *labels[*code++ % 3];
stop: return acc;
}
int loops(int n) {
  int t = 0;
  do { for (int i = n;; i--) { if (i < 0) break; if (i & 1) continue; t += i; } } while (--n > 0);
  while (t > 100) t >>= 1;
  return t;
}
int vla(int n) { char buffer[n + 1]; memset(buffer, 'a', n); buffer[n] = 0; return (int)strlen(buffer); }
static int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
void sorted(int *v, size_t n) { qsort(v, n, sizeof *v, up); }
typedef int (*operation)(int, int);
static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }
static const operation operations[] = {plus, minus, 0};
int apply(int i, int a, int b) { operation o = operations[i & 1]; return o ? o(a, b) : 0; }
_Noreturn void die(void) { abort(); }
int unreachable(int x) { if (x > 3) die(); if (x < 0) __builtin_unreachable(); return x; }
int expect(int x) { if (__builtin_expect(x, 0)) return 1; __builtin_assume(x == 0); return 2; }
int statement(int x) { return ({ int y = x; y * y; }) + (x ?: 7); }
void copies(char *d, const char *s, unsigned long n) { memcpy(d, s, n); memmove(d + 1, d, n); memset(d, 0, 16); __builtin_memcpy_inline(d, s, 8); }
