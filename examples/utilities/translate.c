/* Characters for other characters, as tr does: -d deletes, -s squeezes what repeats; sets have ranges such as a-z. */
#include <error.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct set {
    unsigned char member[64];
    int count;
};

static void add(struct set *set, int character) {
    if (set->count == (int)sizeof set->member)
        error(2, 0, "a set is too large");
    set->member[set->count++] = (unsigned char)character;
}

static void read_set(struct set *set, const char *text) {
    set->count = 0;
    while (*text) {
        unsigned char first = (unsigned char)*text, last = first;
        if (text[1] == '-' && text[2]) {
            last = (unsigned char)text[2];
            text += 2;
            if (last < first)
                error(2, 0, "the range ends before it begins");
        }
        for (int each = first; each <= last; each++)
            add(set, each);
        text++;
    }
}

static int place(const struct set *set, int character) {
    for (int at = 0; at < set->count; at++)
        if (set->member[at] == character)
            return at;
    return -1;
}

int main(int argc, char **argv) {
    bool deleting = false, squeezing = false;
    int option;
    while ((option = getopt(argc, argv, "ds")) != -1) {
        if (option == '?')
            return 2;
        *(option == 'd' ? &deleting : &squeezing) = true;
    }
    if (argc - optind != (deleting ? 1 : 2))
        error(2, 0, "wrong number of sets");
    struct set from, to;
    read_set(&from, argv[optind]);
    if (!deleting) {
        read_set(&to, argv[optind + 1]);
        if (to.count == 0)
            error(2, 0, "the second set is empty");
    }
    int character, before = EOF;
    while ((character = getchar_unlocked()) != EOF) {
        int at = place(&from, character);
        if (at >= 0 && deleting)
            continue;
        if (at >= 0)
            character = to.member[at < to.count ? at : to.count - 1];
        if (squeezing && at >= 0 && character == before)
            continue;
        putchar_unlocked(character);
        before = character;
    }
    return 0;
}
