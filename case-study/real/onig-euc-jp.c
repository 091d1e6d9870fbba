// How Oniguruma writes a character in EUC-JP, and reads it back.
// releases: onig_sys 61.3.0 (6.1.3), onig_sys 63.0.2 (6.3.0), onig_sys 64.0.1 (6.4.0), onig_sys 65.0.1 (6.5.0)
// releases: onig_sys 66.1.4 (6.6.1), onig_sys 67.1.0 (6.7.1), onig_sys 68.0.2 (6.8.0), onig_sys 68.2.1 (6.8.2)
// releases: onig_sys 69.0.0 (6.9.0), onig_sys 69.1.0 (6.9.1), onig_sys 69.2.0 (6.9.2), onig_sys 69.5.1 (6.9.5)
// releases: onig_sys 69.6.0 (6.9.6), onig_sys 69.7.1 (6.9.7), onig_sys 69.8.1 (6.9.8), onig_sys 69.9.3 (6.9.10)
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
