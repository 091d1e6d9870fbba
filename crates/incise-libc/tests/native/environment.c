/* The environment, against that of the C library. */
#define _GNU_SOURCE
#include "check.h"

extern char **environ;
extern char **model_environ;
char *model_getenv(const char *);
int model_setenv(const char *, const char *, int);
int model_unsetenv(const char *);
int model_putenv(char *);
int model_clearenv(void);

static int same_tables(void) {
    char **ours = model_environ, **theirs = environ;
    if (!ours || !theirs) {
        return (!ours || !*ours) && (!theirs || !*theirs);
    }
    for (; *ours && *theirs; ours++, theirs++) {
        if (strcmp(*ours, *theirs)) {
            return 0;
        }
    }
    return !*ours && !*theirs;
}

void check_environment(void) {
    static const char *const names[] = {"A", "AB", "ABC", "B", "", "A=B"};
    static char *strings[] = {"A=put", "B=put", "AB", "ABC="};
    static char *first[3] = {"A=1", "AB=2", NULL};
    environ = first;
    static char *same_first[3] = {"A=1", "AB=2", NULL};
    model_environ = same_first;
    for (int round = 0; round < 5000; round++) {
        const char *name = names[below(6)];
        char value[8];
        random_text(value, 5, "xy=");
        switch (below(8)) {
        case 0: {
            int over = (int)below(2);
            CHECK(model_setenv(name, value, over) == setenv(name, value, over), "setenv(%s)", name);
            break;
        }
        case 1: CHECK(model_unsetenv(name) == unsetenv(name), "unsetenv(%s)", name); break;
        case 2: {
            char *string = strings[below(4)];
            CHECK(model_putenv(string) == putenv(string), "putenv(%s)", string);
            break;
        }
        case 3:
            if (!below(20)) {
                CHECK(model_clearenv() == clearenv(), "clearenv");
            }
            break;
        default: {
            char *ours = model_getenv(name), *theirs = getenv(name);
            CHECK(!ours == !theirs && (!ours || !strcmp(ours, theirs)), "getenv(%s)", name);
        }
        }
        CHECK(same_tables(), "the tables after round %d", round);
    }
}
