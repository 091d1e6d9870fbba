/* Structs, unions, bit-fields, arrays, packed and aligned types, arguments and results by value. */
#include <stddef.h>
struct small { char c; short s; };
struct pair { long a; double b; };
struct large { int values[10]; struct small inner; char *name; };
struct __attribute__((packed)) packed { char c; int i; long l; };
struct flags { unsigned a : 3, b : 5; int c : 17; unsigned long d : 40; _Bool e : 1; };
union number { int i; float f; unsigned char bytes[8]; };
struct flexible { int count; int items[]; };
struct anonymous { int kind; union { struct { int x, y; }; long both; }; };
struct aligned { _Alignas(32) int x; };
struct list { struct list *next, **previous; const volatile int *value; int (*visit)(struct list *, void *); };
struct large global = {{1, 2, [5] = 6}, {'x', 7}, "name"};
struct list head = {&head, &head.next, 0, 0};
static const struct packed packed_table[2] = {{1, 2, 3}, {4, 5, 6}};
int matrix[2][3] = {{1, 2, 3}, {4}};
int *inside = &matrix[1][2];
char *offset_pointer = (char *)&global + offsetof(struct large, name);
struct small take_small(struct small s) { s.c++; return s; }
struct pair take_pair(struct pair p) { p.a += (long)p.b; return p; }
struct large take_large(struct large l, int i) { l.values[i] = l.inner.s; return l; }
int unpack(const struct packed *p, int i) { return p[i].i + packed_table[i].c; }
int bitfields(struct flags *f) { f->a = 5; f->c -= 3; f->d |= 1ull << 39; f->e = !f->e; return f->b + f->c + (int)f->d; }
float pun(int x) { union number n = {x}; return n.f + n.bytes[1]; }
int sum(struct flexible *f) { int s = 0; for (int i = 0; i < f->count; i++) s += f->items[i]; return s; }
long both(struct anonymous *a) { return a->kind ? a->x + a->y : a->both; }
int aligned(void) { struct aligned a[2] = {{1}, {2}}; return a[1].x; }
int walk(struct list *l, void *data) { int n = 0; while ((l = l->next) != &head) n += l->visit ? l->visit(l, data) : *l->value; return n; }
int columns(int n, int m[n][n]) { int t = 0; for (int i = 0; i < n; i++) t += m[i][n - 1 - i]; return t; }
struct pair chosen(int c) { return c ? (struct pair){1, 2} : take_pair((struct pair){.b = 3}); }
struct __attribute__((packed)) long_run { int a : 29; int b : 30; unsigned c : 8; int d : 20; unsigned e : 19; int f : 30; int g : 12; };
int read_run(volatile struct long_run *r) { return r->a + r->b + (int)r->c + r->d + (int)r->e + r->f + r->g; }
void write_run(struct long_run *r, int x) { r->a = x; r->c = x; r->e ^= x; r->g -= 3; }
