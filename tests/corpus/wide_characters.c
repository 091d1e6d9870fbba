// RUN: incise run %s --sym-args 1 2
// EXPECT: paths=9 errors=0 complete=true exit=0
// In the C locale a byte up to 127 is a character and any other is none; classes and width are those of ASCII.
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

int main(int argc, char **argv) {
    mbstate_t state;
    memset(&state, 0, sizeof state);
    wchar_t wide = 0;
    (void)argc;
    size_t length = mbrtowc(&wide, argv[1], strlen(argv[1]), &state);
    if (length == (size_t)-1) {
        return errno == EILSEQ ? 1 : 99;
    }
    if (length == (size_t)-2) {
        return 2;
    }
    if (iswupper((wint_t)wide)) {
        printf("%c\n", (char)towlower((wint_t)wide));
        return 3;
    }
    return iswprint((wint_t)wide) && wcwidth(wide) == 1 ? 4 : 5;
}
