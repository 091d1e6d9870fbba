/* Leaves out lines that are like the one before, as uniq does: reads IN or standard input, writes OUT or standard output; -c counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put(FILE *out, const char *line, int count, int counting) {
    if (counting)
        fprintf(out, "%d ", count);
    fputs(line, out);
}

int main(int argc, char **argv) {
    int option, counting = getenv("COUNT") != NULL;
    while ((option = getopt(argc, argv, "c")) != -1) {
        if (option == '?')
            return 2;
        counting = 1;
    }
    FILE *in = stdin, *out = stdout;
    if (optind < argc && !(in = fopen(argv[optind], "r"))) {
        perror("distinct");
        return 1;
    }
    if (optind + 1 < argc && !(out = fopen(argv[optind + 1], "w"))) {
        perror("distinct");
        return 1;
    }
    char *line = NULL, *last = NULL;
    size_t room = 0;
    int count = 0;
    while (getline(&line, &room, in) != -1) {
        if (last && strcmp(line, last) == 0) {
            count++;
            continue;
        }
        if (last)
            put(out, last, count, counting);
        free(last);
        last = strdup(line);
        count = 1;
    }
    if (last)
        put(out, last, count, counting);
    free(last);
    free(line);
    if (out != stdout && fclose(out) != 0)
        return 1;
    return 0;
}
