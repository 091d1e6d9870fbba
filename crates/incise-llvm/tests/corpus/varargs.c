/* Variable arguments of all kinds, K&R functions, format functions. */
#include <stdarg.h>
#include <stdio.h>
struct three { long a, b, c; };
double sum(int n, ...) {
  va_list list, copy;
  double total = 0;
  va_start(list, n);
  va_copy(copy, list);
  for (int i = 0; i < n; i++) total += va_arg(list, double);
  total += va_arg(copy, int) + va_arg(copy, struct three).b + (double)va_arg(copy, long double);
  va_end(copy);
  va_end(list);
  return total;
}
int log_to(char *buffer, const char *format, ...) { va_list l; va_start(l, format); int n = vsnprintf(buffer, 10, format, l); va_end(l); return n; }
int caller(void) { struct three t = {1, 2, 3}; printf("%d %s %f %Lf\n", 1, "two", 3.0, 4.0L); return (int)sum(2, 1.0, 2.0, t, 'c', 5L); }
