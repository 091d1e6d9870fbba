/* Checks its argument: `incise run examples/word.c --sym-args 1 4` finds the one that passes. */
#include <stdio.h>

int main(int argc, char **argv) {
    if (argc != 2) {
        return 2;
    }
    const char *word = argv[1];
    unsigned hash = 5381;
    for (int i = 0; word[i] != '\0'; i++) {
        if (word[i] < 'a' || word[i] > 'z') {
            return 2;
        }
        hash = hash * 33 + (unsigned char)word[i];
    }
    if (hash != 2090237503u) {
        return 1;
    }
    puts("welcome");
    return 0;
}
