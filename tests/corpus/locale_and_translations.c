// RUN: incise run %s --entry tell
// EXPECT: paths=2 errors=0 complete=true exit=0
// There is the C locale and no translation: texts come back as they are.
#include <langinfo.h>
#include <libintl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

int tell(unsigned number) {
    if (!setlocale(LC_ALL, "") || strcmp(setlocale(LC_MESSAGES, NULL), "C")) {
        return -1;
    }
    bindtextdomain("tell", "/nowhere");
    textdomain("tell");
    puts(gettext("numbers"));
    printf("%s %s %s\n", ngettext("one", "many", number), nl_langinfo(CODESET), localeconv()->decimal_point);
    return (int)number;
}
