// RUN: incise run %s --entry same_word
// EXPECT: paths=4 errors=0 complete=true exit=0
// strcasecmp and strncasecmp ignore the case of letters and nothing else.
#include <strings.h>

int same_word(char a, char b) {
    char word[3] = {a, b, 0};
    if (strcasecmp(word, "On") == 0) {
        return 1;
    }
    return strncasecmp(word, "o{", 2) == 0 ? 2 : 3;
}
