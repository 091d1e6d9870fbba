// RUN: incise run %s --sym-env A=1 --sym-env B=1
// EXPECT: paths=4 errors=0 complete=true exit=0
// The third parameter of main: what follows a variable that is not set moves up.
#include <stdio.h>

int main(int argc, char **argv, char **environment) {
    for (char **each = environment; *each; each++)
        puts(*each);
    return 0;
}
