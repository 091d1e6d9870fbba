// RUN: incise run %s --sym-args 1 2
// EXPECT: paths=3 errors=0 complete=true exit=0
// error() begins with the name of the program, ends with the text of an error number, and leaves with a status.
#include <errno.h>
#include <error.h>
#include <stdio.h>

int main(int argc, char **argv) {
    if (argc > 1 && argv[1][0] == '?') {
        error(3, EINVAL, "cannot take %s", argv[1]);
    }
    if (argv[1][0] == 0) {
        error(0, 0, "nothing in %d", argc - 1);
    }
    error_at_line(0, ENOENT, "file.c", 7, "only told");
    return (int)error_message_count;
}
