// How utf8_decode of Lua reads characters, of which there are four at most.
// releases: lua-src 540.0.1 (5.4.0), lua-src 541.0.0 (5.4.1), lua-src 542.0.0 (5.4.2), lua-src 543.1.0 (5.4.3)
// releases: lua-src 544.0.1 (5.4.4), lua-src 546.0.2 (5.4.6), lua-src 547.1.0 (5.4.7), lua-src 551.0.1 (5.4.8)
// releases: lua-src 551.1.0 (5.4.9), lua-src 550.1.1 (5.5.0), lua-src 551.1.0 (5.5.1)
// sources: lua-VERSION
// options: --entry decode --symbolic-globals none --array text=24 --no-null

#include "source/lutf8lib.c"

#if LUA_VERSION_NUM >= 505
typedef l_uint32 utfint;
#endif

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
