// How Oniguruma writes a character in EUC-JP, and reads it back.
// pair: onig_sys 69.5.1 (6.9.5) to onig_sys 69.7.1 (6.9.7)
// sources: oniguruma/src
// options: --entry encode --symbolic-globals none

#include "source/euc_jp.c"

int encode(OnigCodePoint code) {
    UChar bytes[8];
    int length = code_to_mbclen(code);
    if (length < 0) {
        return length;
    }
    int written = code_to_mbc(code, bytes);
    return is_valid_mbc_string(bytes, bytes + written) && mbc_to_code(bytes, bytes + written) == code ? length : 0;
}
