// RUN: incise run %s --entry pack
// EXPECT: paths=5 errors=0 complete=true exit=0
// Unsigned bit-fields keep their low bits, and share words.

struct date {
    unsigned day : 5;
    unsigned month : 4;
    unsigned : 3;
    unsigned year : 12;
    unsigned char leap : 1;
};

int pack(unsigned day, unsigned month, unsigned year) {
    struct date date = {0};
    date.day = day;
    date.month = month;
    date.year = year;
    date.leap = date.year % 4 == 0;
    if (date.day != day) {
        return -1;
    }
    if (date.month > 12 || date.month == 0) {
        return -2;
    }
    date.day++; /* wraps at 32 */
    if (date.leap) {
        return (int)date.day + 100;
    }
    return (int)date.day;
}
