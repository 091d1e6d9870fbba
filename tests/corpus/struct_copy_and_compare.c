// RUN: incise run %s --entry edit
// EXPECT: paths=5 errors=0 complete=true exit=0
// Assignment of structs copies all of them, nested ones and arrays inside too.
#include <string.h>

struct inner {
    short values[3];
    char name[5];
};

struct outer {
    struct inner first;
    struct inner second;
    unsigned flags;
};

int edit(short value, unsigned flags) {
    struct outer before;
    memset(&before, 0, sizeof before);
    before.first.values[1] = 7;
    memcpy(before.first.name, "abcd", 5);
    struct outer after = before;
    after.second = after.first;
    after.second.values[2] = value;
    after.flags = flags & 3;
    int same_second = after.second.values[2] == before.first.values[2];
    if (same_second && after.flags == before.flags) {
        return memcmp(&after.first, &before.first, sizeof after.first) ? -1 : 1;
    }
    if (after.flags == 2) {
        return after.second.name[3];
    }
    return before.second.name[0] + 50;
}
