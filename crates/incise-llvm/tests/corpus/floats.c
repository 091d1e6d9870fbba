/* All floating-point types, conversions, comparisons, the constants that have no decimal form. */
#include <math.h>
float single(float a, float b) { return a * b - 0.1f + 1e-42f; }
double twice(double a) { return a != a ? INFINITY : -a / 3.0 + NAN; }
long double extended(long double a, double b) { return a * b + 1.5L - (long double)0.1; }
_Float16 half(_Float16 a) { return a * (_Float16)2.5; }
__float128 quad(__float128 a) { return a + 1.0Q; }
int to_int(double d, float f, long double l) { return (int)d + (unsigned char)f + (short)l; }
unsigned long to_unsigned(double d) { return (unsigned long)d; }
double from_int(int a, unsigned long b) { return a + (double)b; }
int compare(double a, double b) { return (a < b) + 2 * (a >= b) + 4 * (a == b) + 8 * __builtin_isunordered(a, b) + 16 * __builtin_islessgreater(a, b); }
double library(double x) { return sqrt(x) + fabs(x) + floor(x) + fma(x, x, 1) + copysign(x, -1) + fmax(x, 0); }
_Complex double rotate(_Complex double z) { return z * (_Complex double){0, 1}; }
const float table[] = {1.0f, 0x1p-149f, -0.0f, 3.4028235e38f};
