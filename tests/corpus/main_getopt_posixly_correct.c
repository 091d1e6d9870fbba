// RUN: incise run %s --arg x --arg -v --sym-env POSIXLY_CORRECT=1
// EXPECT: paths=2 errors=0 complete=true exit=0
// Where POSIXLY_CORRECT is set, options end at the first word that is none.
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int verbose = 0;
    while (getopt(argc, argv, "v") == 'v') {
        verbose++;
    }
    printf("%d %s\n", verbose, argv[optind]);
    return 0;
}
