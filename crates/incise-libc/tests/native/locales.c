/* setlocale, localeconv, nl_langinfo and gettext in the C locale, against the C library. */
#define _GNU_SOURCE
#include "check.h"
#include <langinfo.h>
#include <libintl.h>
#include <locale.h>

char *model_setlocale(int, const char *);
struct lconv *model_localeconv(void);
char *model_nl_langinfo(nl_item);
char *model_gettext(const char *);
char *model_dcgettext(const char *, const char *, int);
char *model_ngettext(const char *, const char *, unsigned long);
char *model_dcngettext(const char *, const char *, const char *, unsigned long, int);
char *model_textdomain(const char *);
char *model_bindtextdomain(const char *, const char *);
extern char **model_environ;
locale_t model_newlocale(int, const char *, locale_t);
locale_t model_uselocale(locale_t);

static void check_names(void) {
    static const char *const names[] = {"C", "POSIX", "", "xx_YY", "P", "CC"};
    unsetenv("LANG");
    unsetenv("LC_ALL");
    for (int at = 0; at < 6; at++) {
        char *theirs = setlocale(LC_CTYPE, names[at]), *ours = model_setlocale(LC_CTYPE, names[at]);
        CHECK(!ours == !theirs && (!ours || !strcmp(ours, theirs)), "setlocale(\"%s\")", names[at]);
    }
    for (int category = -1; category < 15; category++) {
        char *theirs = setlocale(category, ""), *ours = model_setlocale(category, "");
        CHECK(!ours == !theirs && (!ours || !strcmp(ours, theirs)), "setlocale(%d, \"\")", category);
    }
    /* The names of the C locale in the environment. */
    char *environment[] = {"LANG=xx", "LC_ALL=POSIX", NULL};
    model_environ = environment;
    CHECK(!strcmp(model_setlocale(LC_ALL, ""), "C") && !strcmp(model_setlocale(LC_TIME, NULL), "C"), "LC_ALL comes first");
    model_environ = NULL;
}

static void check_facts(void) {
    static const nl_item items[] = {CODESET, RADIXCHAR, THOUSEP, YESEXPR, NOEXPR, CRNCYSTR, D_T_FMT, D_FMT, T_FMT, T_FMT_AMPM, AM_STR, PM_STR};
    for (unsigned at = 0; at < sizeof items / sizeof *items; at++) {
        CHECK(!strcmp(model_nl_langinfo(items[at]), nl_langinfo(items[at])), "nl_langinfo(%x)", items[at]);
    }
    for (nl_item item = ABDAY_1; item <= MON_12; item++) {
        CHECK(!strcmp(model_nl_langinfo(item), nl_langinfo(item)), "nl_langinfo(%x)", item);
    }
    struct lconv *ours = model_localeconv(), *theirs = localeconv();
    char **our_texts = (char **)ours, **their_texts = (char **)theirs;
    for (int at = 0; at < 10; at++) {
        CHECK(!strcmp(our_texts[at], their_texts[at]), "text %d of localeconv", at);
    }
    CHECK(!memcmp(&ours->int_frac_digits, &theirs->int_frac_digits, 14), "numbers of localeconv");
}

void check_locales(void) {
    check_names();
    check_facts();
    const char *text = "text";
    CHECK(model_gettext(text) == gettext(text) && model_dcgettext("d", text, LC_MESSAGES) == text, "gettext");
    for (unsigned long number = 0; number < 4; number++) {
        CHECK(!strcmp(model_ngettext("one", "many", number), ngettext("one", "many", number)), "ngettext(%lu)", number);
        CHECK(!strcmp(model_dcngettext("d", "one", "many", number, LC_TIME), dcngettext("d", "one", "many", number, LC_TIME)),
              "dcngettext(%lu)", number);
    }
    CHECK(model_uselocale(NULL) == uselocale(NULL), "the locale of a thread");
    locale_t ours = model_newlocale(LC_ALL_MASK, "C", NULL);
    CHECK(ours && model_uselocale(ours) == LC_GLOBAL_LOCALE && model_uselocale(LC_GLOBAL_LOCALE) == ours, "uselocale");
    CHECK(!model_newlocale(LC_ALL_MASK, "xx", NULL) && !newlocale(LC_ALL_MASK, "xx", NULL), "a locale that there is not");
    CHECK(!model_newlocale(1 << 30, "C", NULL) && !newlocale(1 << 30, "C", NULL), "a category that there is not");
    CHECK(!strcmp(model_textdomain(NULL), textdomain(NULL)), "textdomain(NULL)");
    CHECK(!strcmp(model_textdomain("mine"), textdomain("mine")), "textdomain");
    CHECK(!strcmp(model_textdomain(NULL), textdomain(NULL)), "textdomain afterwards");
    CHECK(!strcmp(model_bindtextdomain("mine", "/x"), bindtextdomain("mine", "/x")), "bindtextdomain");
    CHECK(!model_bindtextdomain("", "/x") && !bindtextdomain("", "/x"), "bindtextdomain without a name");
}
