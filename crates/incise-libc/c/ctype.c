/*
 * ctype.h in the C locale, with the very values that glibc returns: isalpha('a') is 1024.
 *
 * The functions compute the answer without a branch on the byte. The header's macros read
 * the tables instead, unless __NO_CTYPE is defined.
 */
#include "incise.h"

#define UPPER 0x0100
#define LOWER 0x0200
#define ALPHA 0x0400
#define DIGIT 0x0800
#define XDIGIT 0x1000
#define SPACE 0x2000
#define PRINT 0x4000
#define GRAPH 0x8000
#define BLANK 0x0001
#define CNTRL 0x0002
#define PUNCT 0x0004
#define ALNUM 0x0008

#define VISIBLE (PRINT | GRAPH)
#define LETTER (VISIBLE | ALPHA | ALNUM)
#define BYTES(first, last) [128 + (first)... 128 + (last)]

/* Index 0 is the byte -128; what is not named, all above 127 and below 0, has no class. */
static const unsigned short __incise_ctype_classes[384] = {
    BYTES(0, 8) = CNTRL,
    BYTES('\t', '\t') = CNTRL | SPACE | BLANK,
    BYTES('\n', '\r') = CNTRL | SPACE,
    BYTES(14, 31) = CNTRL,
    BYTES(' ', ' ') = PRINT | SPACE | BLANK,
    BYTES('!', '/') = VISIBLE | PUNCT,
    BYTES('0', '9') = VISIBLE | DIGIT | XDIGIT | ALNUM,
    BYTES(':', '@') = VISIBLE | PUNCT,
    BYTES('A', 'F') = LETTER | UPPER | XDIGIT,
    BYTES('G', 'Z') = LETTER | UPPER,
    BYTES('[', '`') = VISIBLE | PUNCT,
    BYTES('a', 'f') = LETTER | LOWER | XDIGIT,
    BYTES('g', 'z') = LETTER | LOWER,
    BYTES('{', '~') = VISIBLE | PUNCT,
    BYTES(127, 127) = CNTRL,
};

#define TWO(n) (n), (n) + 1
#define EIGHT(n) TWO(n), TWO((n) + 2), TWO((n) + 4), TWO((n) + 6)
#define LETTERS(n) EIGHT(n), EIGHT((n) + 8), EIGHT((n) + 16), TWO((n) + 24)
#define THIRTY_TWO(n) EIGHT(n), EIGHT((n) + 8), EIGHT((n) + 16), EIGHT((n) + 24)
#define UPPER_HALF(n) THIRTY_TWO(n), THIRTY_TWO((n) + 32), THIRTY_TWO((n) + 64), THIRTY_TWO((n) + 96)
/* -128 to -2 stand for the same byte as 128 to 254, and -1 is EOF. */
#define NEGATIVE_HALF                                                                             \
    THIRTY_TWO(128), THIRTY_TWO(160), THIRTY_TWO(192), EIGHT(224), EIGHT(232), EIGHT(240),        \
        TWO(248), TWO(250), TWO(252), 254, -1

static const int __incise_ctype_lower[384] = {
    NEGATIVE_HALF, THIRTY_TWO(0), THIRTY_TWO(32), '@', LETTERS('a'), TWO('['), TWO(']'), '_',
    THIRTY_TWO(96), UPPER_HALF(128)};

static const int __incise_ctype_upper[384] = {
    NEGATIVE_HALF, THIRTY_TWO(0), THIRTY_TWO(32), THIRTY_TWO(64), '`', LETTERS('A'), TWO('{'), TWO('}'),
    127, UPPER_HALF(128)};

static const unsigned short *__incise_ctype_classes_at_zero = __incise_ctype_classes + 128;
static const int *__incise_ctype_lower_at_zero = __incise_ctype_lower + 128;
static const int *__incise_ctype_upper_at_zero = __incise_ctype_upper + 128;

const unsigned short **__ctype_b_loc(void) { return &__incise_ctype_classes_at_zero; }
const int **__ctype_tolower_loc(void) { return &__incise_ctype_lower_at_zero; }
const int **__ctype_toupper_loc(void) { return &__incise_ctype_upper_at_zero; }

/*
 * glibc's functions read the table without looking at the argument first. The same read
 * here makes an argument outside -128 to 255 an out-of-bounds error, as it is natively.
 */
INLINE void __incise_ctype_check(int c) {
    if ((unsigned)c + 128u >= 384u) {
        (void)*(volatile const unsigned short *)&__incise_ctype_classes_at_zero[c];
    }
}

/* Is `c` in the range of `count` bytes from `first`? 0 or 1. */
#define WITHIN(c, first, count) ((unsigned)((unsigned)(c) - (unsigned)(first) < (unsigned)(count)))
#define IS_LETTER(c) WITHIN((unsigned)(c) | 32u, 'a', 26)

int isupper(int c) {
    __incise_ctype_check(c);
    return (int)(WITHIN(c, 'A', 26) * UPPER);
}

int islower(int c) {
    __incise_ctype_check(c);
    return (int)(WITHIN(c, 'a', 26) * LOWER);
}

int isalpha(int c) {
    __incise_ctype_check(c);
    return (int)(IS_LETTER(c) * ALPHA);
}

int isdigit(int c) {
    __incise_ctype_check(c);
    return (int)(WITHIN(c, '0', 10) * DIGIT);
}

int isxdigit(int c) {
    __incise_ctype_check(c);
    return (int)((WITHIN(c, '0', 10) | WITHIN((unsigned)c | 32u, 'a', 6)) * XDIGIT);
}

int isspace(int c) {
    __incise_ctype_check(c);
    return (int)((WITHIN(c, ' ', 1) | WITHIN(c, '\t', 5)) * SPACE);
}

int isprint(int c) {
    __incise_ctype_check(c);
    return (int)(WITHIN(c, ' ', 95) * PRINT);
}

int isgraph(int c) {
    __incise_ctype_check(c);
    return (int)(WITHIN(c, '!', 94) * GRAPH);
}

int isblank(int c) {
    __incise_ctype_check(c);
    return (int)((WITHIN(c, ' ', 1) | WITHIN(c, '\t', 1)) * BLANK);
}

int iscntrl(int c) {
    __incise_ctype_check(c);
    return (int)((WITHIN(c, 0, 32) | WITHIN(c, 127, 1)) * CNTRL);
}

int isalnum(int c) {
    __incise_ctype_check(c);
    return (int)((IS_LETTER(c) | WITHIN(c, '0', 10)) * ALNUM);
}

int ispunct(int c) {
    __incise_ctype_check(c);
    return (int)((WITHIN(c, '!', 94) & ~(IS_LETTER(c) | WITHIN(c, '0', 10))) * PUNCT);
}

/* These two accept any int. Adding 256 to -128 to -2 is what glibc's tables do. */
int tolower(int c) {
    return (int)((unsigned)c + (WITHIN(c, 'A', 26) << 5) + (WITHIN(c, -128, 127) << 8));
}

int toupper(int c) {
    return (int)((unsigned)c - (WITHIN(c, 'a', 26) << 5) + (WITHIN(c, -128, 127) << 8));
}

int isascii(int c) { return ((unsigned)c & ~0x7fu) == 0; }

int toascii(int c) { return c & 0x7f; }

/* ---- stdlib.h: a character is a byte (wide.c) -------------------------------------------------------- */

size_t __ctype_get_mb_cur_max(void) { return 1; }
