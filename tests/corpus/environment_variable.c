// RUN: incise run %s --sym-env MODE=2 --sym-env LEVEL=1
// EXPECT: paths=4 errors=0 complete=true exit=0
// A variable is unset or a string; what the program sets itself it finds again.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

int main(void) {
    const char *mode = getenv("MODE");
    int count = 0;
    for (char **each = environ; *each; each++)
        count++;
    if (getenv("MOD") || getenv("MODES"))
        return 99;
    setenv("MODE", "set", 0);
    if (!mode && strcmp(getenv("MODE"), "set"))
        return 98;
    setenv("EXTRA", "1", 1);
    unsetenv("LEVEL");
    if (getenv("LEVEL") || strcmp(getenv("EXTRA"), "1"))
        return 97;
    static char own[] = "MODE=own";
    putenv(own);
    if (getenv("MODE") != own + 5)
        return 96;
    printf("%d %s\n", count, mode ? mode : "unset");
    return mode && mode[0] == 'v';
}
