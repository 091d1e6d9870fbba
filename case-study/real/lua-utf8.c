// How utf8_decode of Lua reads a character.
// pair: lua-src 544.0.1 (5.4.4) to lua-src 546.0.2 (5.4.6)
// sources: lua-5.4*
// options: --entry decode --symbolic-globals none --array text=8 --no-null

#include "source/lutf8lib.c"

long decode(const char *text, int strict) {
    utfint value = 0;
    const char *end = utf8_decode(text, &value, strict);
    return end == 0 ? -1 : (long)value;
}
