// How libgit2 tells whether the name of a reference is valid.
// pair: libgit2-sys 0.17.0+1.8.1 (1.8.1) to libgit2-sys 0.18.8+1.9.7 (1.9.7)
// sources: libgit2/include libgit2/src/util libgit2/src/libgit2
// options: --entry valid --symbolic-globals none --array name=9 --no-null

#include "source/refs.c"

void git_error_set(int class, const char *format, ...) {}

int valid(char *name) {
    int result = 0;
    name[8] = 0;
    git_reference_name_is_valid(&result, name);
    return result;
}
