/* The first lines of a file, as head does: -n N, or -c N for bytes. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    long lines = 2, bytes = -1;
    int option;
    char *end;
    while ((option = getopt(argc, argv, "n:c:")) != -1) {
        switch (option) {
        case 'n':
        case 'c':
            errno = 0;
            long value = strtol(optarg, &end, 10);
            if (*end || end == optarg || errno || value < 0) {
                fprintf(stderr, "beginning: invalid number\n");
                return 2;
            }
            if (option == 'n')
                lines = value;
            else
                bytes = value;
            break;
        default: return 2;
        }
    }
    int file = 0;
    if (optind < argc) {
        file = open(argv[optind], O_RDONLY);
        if (file < 0) {
            perror(argv[optind]);
            return 1;
        }
    }
    char c;
    while ((bytes < 0 ? lines > 0 : bytes > 0) && read(file, &c, 1) == 1) {
        if (write(1, &c, 1) != 1)
            return 1;
        if (bytes > 0)
            bytes--;
        else if (c == '\n')
            lines--;
    }
    if (file)
        close(file);
    return 0;
}
