/* ctype.h against the C library: every value of its domain, and the tables. */
#include "check.h"
#include <ctype.h>
/* The functions, not the macros that read the tables. */
#undef isalpha
#undef isupper
#undef islower
#undef isdigit
#undef isxdigit
#undef isspace
#undef isprint
#undef isgraph
#undef isblank
#undef iscntrl
#undef isalnum
#undef ispunct
#undef tolower
#undef toupper

#define EACH(apply)                                                                               \
    apply(isalpha) apply(isupper) apply(islower) apply(isdigit) apply(isxdigit) apply(isspace)    \
        apply(isprint) apply(isgraph) apply(isblank) apply(iscntrl) apply(isalnum) apply(ispunct) \
            apply(tolower) apply(toupper)

#define DECLARE(name) int model_##name(int);
EACH(DECLARE)
const unsigned short **model___ctype_b_loc(void);
const int **model___ctype_tolower_loc(void);
const int **model___ctype_toupper_loc(void);

void check_ctype(void) {
    for (int c = -128; c < 256; c++) {
#define COMPARE(name) CHECK(model_##name(c) == name(c), #name "(%d) is %d, not %d", c, name(c), model_##name(c));
        EACH(COMPARE)
        CHECK((*model___ctype_b_loc())[c] == (*__ctype_b_loc())[c], "class of %d", c);
        CHECK((*model___ctype_tolower_loc())[c] == (*__ctype_tolower_loc())[c], "lower table of %d", c);
        CHECK((*model___ctype_toupper_loc())[c] == (*__ctype_toupper_loc())[c], "upper table of %d", c);
    }
    static const int far[] = {-129, 256, 1000, -1000, INT32_MAX, INT32_MIN};
    for (unsigned at = 0; at < sizeof far / sizeof *far; at++) {
        CHECK(model_tolower(far[at]) == tolower(far[at]), "tolower(%d)", far[at]);
        CHECK(model_toupper(far[at]) == toupper(far[at]), "toupper(%d)", far[at]);
    }
}
