// RUN: incise run %s --entry span
// EXPECT: paths=6 errors=0 complete=true exit=0
// strspn and strcspn: membership in a set is one decision for each byte.
#include <string.h>

int span(char a, char b) {
    char text[4] = {a, b, '!', 0};
    size_t digits = strspn(text, "0123456789");
    if (digits == 2) {
        return 20;
    }
    size_t plain = strcspn(text, "!?");
    return (int)(digits * 10 + plain);
}
