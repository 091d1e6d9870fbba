// RUN: incise run %s --entry convert
// EXPECT: paths=5 errors=0 complete=true exit=0
// Promotions, sign extension, truncation, and comparisons of signed with unsigned.

int convert(signed char small, unsigned short medium, int number) {
    unsigned char wrapped = (unsigned char)(small + 200);
    short narrowed = (short)medium;
    long widened = number;
    unsigned mixed = (unsigned)small;
    if (small < 0 && mixed > 0x7fffffffu && wrapped < 200) {
        return wrapped;
    }
    if (narrowed < 0) {
        return narrowed + 65536 == medium ? 1 : 2;
    }
    if ((unsigned)number > 5u && number < 5) {
        return (int)(widened >> 63);
    }
    return (char)number + (number > 4294967295u);
}
