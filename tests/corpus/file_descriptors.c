// RUN: incise run %s --sym-file data=3
// EXPECT: paths=4 errors=0 complete=true exit=0
// open, read, write, lseek, fstat and close, and what they say of descriptors that are not open.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    char buffer[8];
    struct stat known;
    int in = open("data", O_RDONLY), out = open("copy", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (in != 3 || out != 4)
        return 99;
    long count = read(in, buffer, sizeof buffer);
    if (write(out, buffer, count) != count || read(out, buffer, 1) != -1 || errno != EBADF)
        return 98;
    if (fstat(in, &known) || known.st_size != count || !S_ISREG(known.st_mode))
        return 97;
    if (lseek(out, 1, SEEK_END) != count + 1 || write(out, "!", 1) != 1)
        return 96;
    if (close(in) || close(in) != -1 || errno != EBADF || lseek(in, 0, SEEK_SET) != -1)
        return 95;
    if (open("copy", O_RDONLY | O_CREAT | O_EXCL) != -1 || errno != EEXIST)
        return 94;
    if (stat("copy", &known) || known.st_size != count + 2 || access("data", R_OK) || !access("gone", F_OK))
        return 93;
    if (rename("data", "moved") || !access("data", F_OK) || unlink("gone") != -1)
        return 92;
    return isatty(out) ? 91 : (int)count;
}
