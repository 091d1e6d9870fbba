// RUN: incise run %s --sym-args 1..2 4
// EXPECT: paths=266 errors=0 complete=true exit=0
// getopt_long over symbolic arguments: abbreviations, values behind "=" and in the next word, and what is wrong with them.
#include <getopt.h>
#include <stdio.h>

int main(int argc, char **argv) {
    static const struct option options[] = {
        {"up", no_argument, NULL, 'u'}, {"us", required_argument, NULL, 's'}, {NULL, 0, NULL, 0}};
    int option, ups = 0;
    const char *value = "";
    while ((option = getopt_long(argc, argv, "us:", options, NULL)) != -1) {
        switch (option) {
        case 'u': ups++; break;
        case 's': value = optarg; break;
        default: return 2;
        }
    }
    printf("%d %s %d\n", ups, value, argc - optind);
    return 0;
}
