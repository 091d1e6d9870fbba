/* One field of each line, as cut -d: -f N does, with a log of what was done: -t appends a copy to a file, as tee does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int option, wanted = 1;
    const char *copy = NULL;
    while ((option = getopt(argc, argv, "f:t:")) != -1) {
        if (option == 'f')
            wanted = atoi(optarg);
        else if (option == 't')
            copy = optarg;
        else
            return 2;
    }
    if (wanted < 1)
        return 2;
    FILE *tee = NULL;
    if (copy && !(tee = fopen(copy, "a"))) {
        perror(copy);
        return 1;
    }
    time_t start = time(NULL);
    char line[8];
    while (fgets(line, sizeof line, stdin)) {
        int field = 1;
        for (char *p = line; *p && *p != '\n'; p++) {
            if (*p == ':') {
                field++;
            } else if (field == wanted) {
                putchar(*p);
                if (tee)
                    putc(*p, tee);
            }
        }
        putchar('\n');
    }
    if (tee)
        fclose(tee);
    return time(NULL) - start > 60 ? 3 : 0;
}
