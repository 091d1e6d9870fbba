/* Integers of all widths, shifts, overflow builtins, bit builtins. */
#include <stdint.h>
#include <stdbool.h>
typedef unsigned __int128 u128;
typedef __int128 i128;
int8_t narrow(int64_t x) { return (int8_t)(x >> 3); }
uint16_t mix(uint8_t a, int16_t b, uint32_t c) { return (uint16_t)(a * b ^ c); }
u128 wide(u128 a, i128 b, int s) { return (a << (s & 127)) + (u128)(b >> 2) - 0xFFFFFFFFFFFFFFFFull * (u128)3; }
bool overflows(int a, int b, long c) {
  int r;
  long l;
  unsigned u;
  return __builtin_add_overflow(a, b, &r) | __builtin_mul_overflow(c, (long)b, &l) | __builtin_sub_overflow((unsigned)a, 3u, &u);
}
int bits(unsigned x, unsigned long y) {
  return __builtin_popcount(x) + __builtin_clz(x | 1) + __builtin_ctzl(y | 1) + __builtin_bswap32(x) + (int)__builtin_bitreverse64(y) +
         (x << 3 | x >> 29);
}
long divide(long a, long b) { return b ? a / b + a % b : 0; }
unsigned char saturate(int x) { return x < 0 ? 0 : x > 255 ? 255 : (unsigned char)x; }
_BitInt(37) odd(_BitInt(37) x) { return x * 3 + 1; }
enum big { LARGE = 0x7fffffffffffffff } large(void) { return LARGE; }
