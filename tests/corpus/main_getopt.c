// RUN: incise run %s --sym-args 1 2
// EXPECT: paths=6 errors=0 complete=true exit=0
// getopt over a symbolic argument: options, a plain argument, "--", and what is not allowed.
#include <unistd.h>

int main(int argc, char **argv) {
    int option, quiet = 0, verbose = 0;
    opterr = 0;
    while ((option = getopt(argc, argv, "qv")) != -1) {
        if (option == 'q') {
            quiet++;
        } else if (option == 'v') {
            verbose++;
        } else {
            return 50;
        }
    }
    return (argc - optind) * 10 + quiet * 3 + verbose;
}
