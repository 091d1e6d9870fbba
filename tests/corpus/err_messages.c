// RUN: incise run %s --sym-args 1 1
// EXPECT: paths=5 errors=0 complete=true exit=0
// err.h: warnings go on, errors leave.
#include <err.h>
#include <errno.h>

int main(int argc, char **argv) {
    (void)argc;
    switch (argv[1][0]) {
    case 'w': errno = EACCES; warn("word %s", argv[1]); return 1;
    case 'x': warnx("no number"); return 2;
    case 'e': errno = EIO; err(3, "left");
    case 'f': errx(4, "left with %d", 4);
    default: return 0;
    }
}
