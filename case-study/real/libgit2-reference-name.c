// How libgit2 tells whether the name of a reference is valid.
// releases: libgit2-sys 0.12.23+1.2.0 (1.2.0), libgit2-sys 0.12.26+1.3.0 (1.3.0), libgit2-sys 0.13.1+1.4.2 (1.4.1), libgit2-sys 0.13.2+1.4.2 (1.4.2)
// releases: libgit2-sys 0.13.5+1.4.5 (1.4.5), libgit2-sys 0.14.1+1.5.0 (1.5.0), libgit2-sys 0.14.2+1.5.1 (1.5.1), libgit2-sys 0.15.0+1.6.3 (1.6.3)
// releases: libgit2-sys 0.15.2+1.6.4 (1.6.4), libgit2-sys 0.16.1+1.7.1 (1.7.1), libgit2-sys 0.16.2+1.7.2 (1.7.2), libgit2-sys 0.17.0+1.8.1 (1.8.1)
// releases: libgit2-sys 0.18.1+1.9.0 (1.9.0), libgit2-sys 0.18.2+1.9.1 (1.9.1), libgit2-sys 0.18.3+1.9.2 (1.9.2), libgit2-sys 0.18.4+1.9.3 (1.9.3)
// releases: libgit2-sys 0.18.5+1.9.4 (1.9.4), libgit2-sys 0.18.6+1.9.5 (1.9.5), libgit2-sys 0.18.7+1.9.6 (1.9.6), libgit2-sys 0.18.8+1.9.7 (1.9.7)
// sources: libgit2/include libgit2/src libgit2/src/util libgit2/src/libgit2
// options: --entry valid --symbolic-globals none --array name=9 --no-null

#include "source/refs.c"

void git_error_set(int class, const char *format, ...) {}

int valid(char *name) {
    int result = 0;
    name[8] = 0;
    git_reference_name_is_valid(&result, name);
    return result;
}
