// How utf8_decode of Lua reads characters, of which there are four at most.
// pair: lua-src 544.0.1 (5.4.4) to lua-src 546.0.2 (5.4.6)
// sources: lua-5.4*
// options: --entry decode --symbolic-globals none --array text=24 --no-null

#include "source/lutf8lib.c"

long decode(const char *text, int strict) {
    long sum = 0;
    for (int count = 0; count < 4 && *text != 0; ++count) {
        utfint value = 0;
        text = utf8_decode(text, &value, strict);
        if (text == 0) {
            return -1;
        }
        sum += value;
    }
    return sum;
}
