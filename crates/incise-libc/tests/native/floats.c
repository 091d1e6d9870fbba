/* strtod, strtof and strtold against the C library, bit for bit. */
#include "check.h"
#include <errno.h>

double model_strtod(const char *, char **);
float model_strtof(const char *, char **);
double model_atof(const char *);
long double model_strtold(const char *, char **);

#define COMPARE(name, type, bits_type, text)                                                      \
    do {                                                                                          \
        char *our_end, *their_end;                                                                \
        errno = 7;                                                                                \
        *model___errno_location() = 7;                                                            \
        type ours = model_##name(text, &our_end);                                                 \
        type theirs = name(text, &their_end);                                                     \
        bits_type our_bits, their_bits;                                                           \
        memcpy(&our_bits, &ours, sizeof ours);                                                    \
        memcpy(&their_bits, &theirs, sizeof theirs);                                              \
        CHECK(our_bits == their_bits, #name "(\"%s\") is %a, not %a", text, theirs, ours);        \
        CHECK(our_end == their_end, #name "(\"%s\") ends at %td, not %td", text,                  \
              their_end - text, our_end - text);                                                  \
        CHECK(errno == *model___errno_location(), #name "(\"%s\"): errno %d, not %d", text,       \
              errno, *model___errno_location());                                                  \
    } while (0)

static void compare(const char *text) {
    COMPARE(strtod, double, uint64_t, text);
    COMPARE(strtof, float, uint32_t, text);
}

static void compare_wide(const char *text) {
    char *our_end, *their_end;
    errno = *model___errno_location() = 7;
    long double ours = model_strtold(text, &our_end), theirs = strtold(text, &their_end);
    CHECK(!memcmp(&ours, &theirs, 10), "strtold(\"%s\") is %La, not %La", text, theirs, ours);
    CHECK(our_end == their_end && errno == *model___errno_location(), "strtold(\"%s\") ends", text);
}

/* What the model computes: few digits, and a small power of ten. */
static void check_wide_floats(void) {
    static const char *const corners[] = {"", ".", "-", "+.5", "1e", "inf", "-INFINITY", "nan", "0x", "0x1.8p3", "-0XFFFFp-20",
                                          "0x.00p5", "999999999999999999", "-0", "0.1", "1e27", "1e-27", "123456789012345678e27",
                                          "0x1p16383", "0xffffffffffffffff", "x", "  7z", "0.00000000000000001"};
    for (unsigned at = 0; at < sizeof corners / sizeof *corners; at++) {
        compare_wide(corners[at]);
    }
    for (int round = 0; round < 20000; round++) {
        char digits[20], text[64];
        random_text(digits, 17, "0123456789");
        unsigned point = below((unsigned)strlen(digits) + 1);
        snprintf(text, sizeof text, "%s%.*s.%se%d", below(2) ? "-" : "", (int)point, digits, digits + point, (int)below(20) - 10);
        compare_wide(text);
    }
}

void check_floats(void) {
    check_wide_floats();
    static const char *const corners[] = {
        "", ".", "-", "+.", "e5", ".e5", "1e", "1e+", "1e-x", "1.", ".5", "-.5e1", "0", "-0", "0.0e999999999",
        "1e999999999999", "1e-999999999999", "inf", "-INF", "infinity", "InFiNiTyX", "infinit", "in", "nan", "-nan",
        "nan()", "nan(ab", "NAN()x", "0x", "-0x", "0x.", "0x.p1", "0x1", "0x1p", "0x1.8p3", "-0X.8P-3", "0x1p-1074",
        "0x1p-1075", "0x1.8p-1075", "0x1p-1076", "0x1.fffffffffffff8p0", "0x1.fffffffffffff7p0",
        "0x1.fffffffffffffp1023", "0x1.fffffffffffff8p1023", "0x1p1024", "0x123456789abcdef0123456789p-40",
        "0x1.00000000000008000000000001", "0x1.0000000000000800000000000", "0x1.0000018", "0x1.000001",
        "0x0.0000000000000000000000000000000000000001p0", "0x100000000000000000000000000000001p0",
        "2.2250738585072014e-308", "2.2250738585072011e-308", "2.225073858507201e-308", "4.9e-324", "2.4703282292062327e-324",
        "2.4703282292062328e-324", "2.47032822920623272e-324", "1.7976931348623157e308", "1.7976931348623158e308",
        "1.7976931348623159e308", "1.797693134862315808e308", "9007199254740993", "9007199254740992.5",
        "9007199254740993.00000000000000000000000000000000000000000000001", "1e22", "1e23", "123456789012345e-22",
        "3.4028235e38", "3.4028236e38", "3.40282357e38", "1.17549435e-38", "1.1754943e-38", "1.4e-45", "7e-46", "7.1e-46",
        "0.1", "0.30000000000000004", "16777217", "16777217.0000001", "179769313486231580793e289", "  \t-1.5xyz",
        "1.1754942807573643e-38", "1.17549431578982589985e-38", "2.22507385850720125958e-308", "+1"};
    for (unsigned at = 0; at < sizeof corners / sizeof *corners; at++) {
        compare(corners[at]);
    }
    for (int round = 0; round < 60000; round++) {
        char text[1200];
        uint64_t bits = next_random();
        double value;
        switch (round % 6) {
        case 0:
            memcpy(&value, &bits, sizeof value);
            snprintf(text, sizeof text, "%.*e", (int)below(25), value);
            break;
        case 1:
            /* Exactly between two neighbours, then a little beside. */
            bits &= 0x7fefffffffffffff;
            memcpy(&value, &bits, sizeof value);
            snprintf(text, sizeof text, "%.40Le", (long double)value * (1.0L + 0x1p-54L));
            break;
        case 2: snprintf(text, sizeof text, "%d.%03ue%d", (int)below(100000), below(1000), (int)below(50) - 25); break;
        case 3: random_text(text, 12, "0123456789.e-+"); break;
        case 4:
            bits = next_random() >> 12 | (next_random() % 100) << 52;
            memcpy(&value, &bits, sizeof value);
            snprintf(text, sizeof text, "%.*e", (int)below(30), value);
            break;
        default:
            random_text(text, 12, "0123456789abcdef.p-+");
            memmove(text + 2, text, strlen(text) + 1);
            memcpy(text, "0x", 2);
            break;
        }
        if (!strstr(text, "nan")) {
            compare(text);
        }
    }
    /* Numbers of hundreds of digits, which only large integers get right. */
    for (int round = 0; round < 300; round++) {
        char text[1200];
        uint64_t bits = next_random() & 0x7fefffffffffffff;
        if (round % 2) {
            bits >>= 10;
        }
        double value;
        memcpy(&value, &bits, sizeof value);
        snprintf(text, sizeof text, "%.900e", value);
        text[below(900) + 2] = (char)('0' + below(10));
        compare(text);
    }
    CHECK(model_atof("2.5e3x") == 2500.0, "atof");
}
