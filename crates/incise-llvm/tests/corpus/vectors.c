/* Vector extensions, and loops that the optimiser turns into vectors. */
typedef int int4 __attribute__((vector_size(16)));
typedef float float4 __attribute__((vector_size(16)));
typedef unsigned char byte16 __attribute__((vector_size(16)));
int4 add(int4 a, int4 b) { return a + b * 3 - (int4){1, 2, 3, 4}; }
int4 compare(int4 a, int4 b) { return a > b; }
int lane(int4 v, int i) { v[i] = 7; return v[0] + v[i]; }
float4 convert(int4 v) { return __builtin_convertvector(v, float4) * 0.5f; }
byte16 shuffle(byte16 v) { return __builtin_shufflevector(v, v, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0); }
int total(const int *v, int n) { int t = 0; for (int i = 0; i < n; i++) t += v[i]; return t; }
void scale(float *restrict d, const float *restrict s, float f, int n) { for (int i = 0; i < n; i++) d[i] = s[i] * f + 1; }
int reduce(const unsigned char *s) { int t = 0; for (int i = 0; i < 64; i++) t += s[i] == 'x'; return t; }
void pointers(char **out, char *base, const long *offsets) { for (int i = 0; i < 64; i++) out[i] = base + offsets[i]; }
short widest(const short *s) { short m = -32768; for (int i = 0; i < 256; i++) m = s[i] > m ? s[i] : m; return m; }
