// RUN: incise run %s --entry copy_name
// EXPECT: paths=2 errors=1 complete=true exit=1
// ERROR: out-of-bounds at 15
// A string that is too long for the last member runs out of its struct.
#include <string.h>

struct user {
    int id;
    char name[4];
};

int copy_name(char last) {
    struct user user = {7, ""};
    char text[5] = {'a', 'b', 'c', last, 0};
    strcpy(user.name, text); // error: out-of-bounds
    return user.id + user.name[0];
}
