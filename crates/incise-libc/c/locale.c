/*
 * locale.h, langinfo.h and libintl.h in the C locale, the only one here: tests run without the variables that would
 * choose another, and a symbolic variable that does ends the path as unsupported.
 */
#include "incise.h"

#define LC_ALL 6

/* ---- Which locale ------------------------------------------------------------------------------- */

/* Whether a name is that of the C locale. */
static bool __incise_is_c_locale(const char *name) {
    const char *known = name[0] == 'P' ? "POSIX" : "C";
    size_t at = 0;
    while (known[at] && name[at] == known[at]) {
        at++;
    }
    return !known[at] && !name[at];
}

/* The names of the variables for each category, in the order of locale.h. */
static const char *const __incise_locale_variables[13] = {
    "LC_CTYPE", "LC_NUMERIC", "LC_TIME",    "LC_COLLATE",   "LC_MONETARY",    "LC_MESSAGES", "LC_ALL",
    "LC_PAPER", "LC_NAME",    "LC_ADDRESS", "LC_TELEPHONE", "LC_MEASUREMENT", "LC_IDENTIFICATION",
};

/* What the environment says of a category has to be the C locale. */
static void __incise_check_variable(int category) {
    const char *chosen = __incise_get_variable("LC_ALL");
    if (!chosen || !*chosen) {
        chosen = __incise_get_variable(__incise_locale_variables[category]);
    }
    if (!chosen || !*chosen) {
        chosen = __incise_get_variable("LANG");
    }
    if (chosen && *chosen && !__incise_is_c_locale(chosen)) {
        __incise_unsupported("a locale of the environment other than C");
    }
}

char *setlocale(int category, const char *name) {
    if ((unsigned)category > 12) {
        __incise_errno = EINVAL_NUMBER;
        return NULL;
    }
    if (!name) {
        return (char *)"C";
    }
    if (!name[0]) {
        if (category != LC_ALL) {
            __incise_check_variable(category);
        } else {
            for (int each = 0; each < 13; each++) {
                __incise_check_variable(each);
            }
        }
        return (char *)"C";
    }
    if (!__incise_is_c_locale(name)) {
        __incise_errno = ENOENT_NUMBER;
        return NULL;
    }
    return (char *)"C";
}

/* ---- Locales of a thread: each is the C locale ----------------------------------------------------- */

#define EVERY_CATEGORY 0x1fbf
#define GLOBAL_LOCALE ((void *)-1)

static char __incise_c_locale;
static void *__incise_locale_in_use = GLOBAL_LOCALE;

void *newlocale(int categories, const char *name, void *base) {
    if (categories & ~EVERY_CATEGORY || !name) {
        __incise_errno = EINVAL_NUMBER;
        return NULL;
    }
    if (!name[0]) {
        for (int each = 0; each < 13; each++) {
            __incise_check_variable(each);
        }
    } else if (!__incise_is_c_locale(name)) {
        __incise_errno = ENOENT_NUMBER;
        return NULL;
    }
    return base ? base : &__incise_c_locale;
}

void *duplocale(void *locale) { return locale == GLOBAL_LOCALE ? &__incise_c_locale : locale; }

void freelocale(void *locale) { (void)locale; }

void *uselocale(void *locale) {
    void *before = __incise_locale_in_use;
    if (locale) {
        __incise_locale_in_use = locale;
    }
    return before;
}

/* ---- What localeconv says ---------------------------------------------------------------------------- */

/* As in locale.h. */
struct lconv {
    char *texts[10];
    char numbers[14];
};

#define NO_NUMBER 127

struct lconv *localeconv(void) {
    static struct lconv known;
    for (int at = 0; at < 10; at++) {
        known.texts[at] = (char *)"";
    }
    known.texts[0] = (char *)".";
    memset(known.numbers, NO_NUMBER, sizeof known.numbers);
    return &known;
}

/* ---- What the locale says ------------------------------------------------------------------------ */

static const char *const __incise_day_names[14] = {
    "Sun",    "Mon",    "Tue",     "Wed",       "Thu",      "Fri",    "Sat",
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
};

static const char *const __incise_month_names[24] = {
    "Jan",     "Feb",      "Mar",   "Apr",   "May", "Jun",  "Jul",  "Aug",    "Sep",       "Oct",     "Nov",      "Dec",
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
};

#define CODESET 14
#define FIRST_DAY 0x20000
#define FIRST_MONTH 0x2000e
#define AM_STR 0x20026
#define PM_STR 0x20027
#define D_T_FMT 0x20028
#define D_FMT 0x20029
#define T_FMT 0x2002a
#define T_FMT_AMPM 0x2002b
#define RADIXCHAR 0x10000
#define THOUSEP 0x10001
#define YESEXPR 0x50000
#define NOEXPR 0x50001
#define CRNCYSTR 0x4000f

char *nl_langinfo(int item) {
    if (item >= FIRST_DAY && item < FIRST_DAY + 14) {
        return (char *)__incise_day_names[item - FIRST_DAY];
    }
    if (item >= FIRST_MONTH && item < FIRST_MONTH + 24) {
        return (char *)__incise_month_names[item - FIRST_MONTH];
    }
    switch (item) {
    case CODESET: return (char *)"ANSI_X3.4-1968";
    case AM_STR: return (char *)"AM";
    case PM_STR: return (char *)"PM";
    case D_T_FMT: return (char *)"%a %b %e %H:%M:%S %Y";
    case D_FMT: return (char *)"%m/%d/%y";
    case T_FMT: return (char *)"%H:%M:%S";
    case T_FMT_AMPM: return (char *)"%I:%M:%S %p";
    case RADIXCHAR: return (char *)".";
    case THOUSEP: return (char *)"";
    case YESEXPR: return (char *)"^[yY]";
    case NOEXPR: return (char *)"^[nN]";
    case CRNCYSTR: return (char *)"-";
    default: __incise_unsupported("what nl_langinfo says of something rare");
    }
}

/* ---- Translations: there are none ------------------------------------------------------------------ */

static const char *__incise_domain = "messages";

char *textdomain(const char *domain) {
    if (domain) {
        __incise_domain = *domain ? __incise_keep_name(domain) : "messages";
    }
    return (char *)__incise_domain;
}

char *bindtextdomain(const char *domain, const char *folder) {
    if (!domain || !*domain) {
        return NULL;
    }
    return folder ? __incise_keep_name(folder) : (char *)"/usr/share/locale";
}

char *bind_textdomain_codeset(const char *domain, const char *codeset) {
    if (!domain || !*domain || !codeset) {
        return NULL;
    }
    return __incise_keep_name(codeset);
}

char *gettext(const char *text) { return (char *)text; }

char *dgettext(const char *domain, const char *text) {
    (void)domain;
    return (char *)text;
}

char *dcgettext(const char *domain, const char *text, int category) {
    (void)domain, (void)category;
    return (char *)text;
}

INLINE char *__incise_numbered(const char *one, const char *many, unsigned long number) {
    return (char *)(number == 1 ? one : many);
}

char *ngettext(const char *one, const char *many, unsigned long number) {
    return __incise_numbered(one, many, number);
}

char *dngettext(const char *domain, const char *one, const char *many, unsigned long number) {
    (void)domain;
    return __incise_numbered(one, many, number);
}

char *dcngettext(const char *domain, const char *one, const char *many, unsigned long number, int category) {
    (void)domain, (void)category;
    return __incise_numbered(one, many, number);
}
