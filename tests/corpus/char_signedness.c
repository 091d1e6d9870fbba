// RUN: incise run %s --entry letter
// EXPECT: paths=4 errors=0 complete=true exit=0
// Plain char is signed here; the same byte compares differently as unsigned char.

int letter(char plain, unsigned char byte) {
    if (plain == (char)0xe9) {
        return plain;
    }
    if (plain < 0 && byte == (unsigned char)plain) {
        return byte + plain;
    }
    return "\xff\x01"[byte & 1];
}
