/* A checksum and the number of bytes, as cksum does: of files or of standard input. */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#include <errno.h>
#include <error.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static uint32_t table[256];

static void fill_table(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t rest = byte << 24;
        for (int bit = 0; bit < 8; bit++)
            rest = rest & 0x80000000u ? rest << 1 ^ 0x04c11db7u : rest << 1;
        table[byte] = rest;
    }
}

static int sum(int file, const char *name) {
    uint32_t crc = 0;
    unsigned long total = 0;
    unsigned char block[16];
    ssize_t count;
    posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL);
    while ((count = read(file, block, sizeof block)) > 0) {
        total += (unsigned long)count;
        for (ssize_t at = 0; at < count; at++)
            crc = crc << 8 ^ table[(crc >> 24 ^ block[at]) & 255];
    }
    if (count < 0)
        return -1;
    for (unsigned long length = total; length; length >>= 8)
        crc = crc << 8 ^ table[(crc >> 24 ^ length) & 255];
    printf(name ? "%u %lu %s\n" : "%u %lu\n", ~crc, total, name);
    return 0;
}

int main(int argc, char **argv) {
    int status = 0;
    fill_table();
    if (argc == 1)
        return sum(0, NULL) != 0;
    for (int at = 1; at < argc; at++) {
        int file = open(argv[at], O_RDONLY);
        if (file < 0 || sum(file, argv[at])) {
            error(0, errno, "%s", argv[at]);
            status = 1;
        }
        if (file >= 0)
            close(file);
    }
    return status;
}
