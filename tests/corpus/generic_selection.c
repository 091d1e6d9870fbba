// RUN: incise run %s --entry sizes
// EXPECT: paths=4 errors=0 complete=true exit=0
// _Generic, static assertions, typeof, and statement expressions.

#define KIND(x) _Generic((x), int: 1, long: 2, double: 3, char *: 4, default: 5)
#define MAXIMUM(a, b)                                                                             \
    ({                                                                                            \
        __typeof__(a) left = (a);                                                                 \
        __typeof__(b) right = (b);                                                                \
        left > right ? left : right;                                                              \
    })

_Static_assert(sizeof(long) == 8, "64-bit Linux");

int sizes(int a, int b) {
    char text[] = "x";
    int kinds = KIND(a) * 1000 + KIND(1L) * 100 + KIND(1.0) * 10 + KIND(text + 0);
    int larger = MAXIMUM(a, b);
    if (larger == 10) {
        return kinds + KIND((short)1);
    }
    return _Alignof(double);
}
