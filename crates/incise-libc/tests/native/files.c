/* Files in memory, against files of the system in a folder of their own. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *model_fopen(const char *, const char *);
FILE *model_fdopen(int, const char *);
int model_fclose(FILE *);
int model_fgetc(FILE *);
int model_ungetc(int, FILE *);
char *model_fgets(char *, int, FILE *);
size_t model_fread(void *, size_t, size_t, FILE *);
int model_fseek(FILE *, long, int);
long model_ftell(FILE *);
void model_rewind(FILE *);
void model_clearerr(FILE *);
int model_feof(FILE *);
int model_ferror(FILE *);
int model_fileno(FILE *);
int model_open(const char *, int, ...);
int model_close(int);
long model_read(int, void *, size_t);
long model_write(int, const void *, size_t);
long model_lseek(int, long, int);
int model_stat(const char *, struct stat *);
int model_fstat(int, struct stat *);
int model_access(const char *, int);
int model_unlink(const char *);
int model_rename(const char *, const char *);
int __incise_file_put(int, FILE *);
int __incise_file_puts(const char *, FILE *);
size_t __incise_file_put_block(const void *, size_t, size_t, FILE *);
int __incise_file_print(FILE *, const char *, va_list);

struct node {
    char *name;
    unsigned char *content;
    long size, room;
    int exists, changed, given, owned;
};
extern struct node __incise_files[16];

static int print(FILE *stream, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = __incise_file_print(stream, format, list);
    va_end(list);
    return length;
}

/* The table starts again with one file, as the engine would fill it in. */
static void restart(const char *text) {
    static unsigned char given[64];
    memset(__incise_files, 0, sizeof __incise_files);
    size_t length = strlen(text);
    memcpy(given, text, length);
    __incise_files[0] = (struct node){"given", given, (long)length, 64, 1, 0, 1, 0};
    unlink("made");
    unlink("other");
    FILE *file = fopen("given", "w");
    fputs(text, file);
    fclose(file);
}

static int same_errno(int ours, int theirs) { return ours == theirs || *model___errno_location() == errno; }

/* One step that reads or writes, on both. */
static int one_step(FILE *ours, FILE *theirs, int readable, int writable) {
    char our_text[32], their_text[32];
    memset(our_text, 'Z', sizeof our_text);
    memset(their_text, 'Z', sizeof their_text);
    int n = (int)below(7);
    long offset = (long)below(12) - 4;
    int from = (int)below(3);
    switch (below(11)) {
    case 0: return !readable || model_fgetc(ours) == fgetc(theirs);
    case 1: {
        if (!readable) {
            return 1;
        }
        int c = model_fgetc(ours);
        if (c != fgetc(theirs)) {
            return 0;
        }
        return c == EOF || (model_ungetc(c, ours) == ungetc(c, theirs) && model_fgetc(ours) == fgetc(theirs));
    }
    case 2: {
        if (!readable) {
            return 1;
        }
        size_t size = below(3) + 1;
        size_t our_count = model_fread(our_text, size, (size_t)n, ours);
        return our_count == fread(their_text, size, (size_t)n, theirs) && !memcmp(our_text, their_text, sizeof our_text);
    }
    case 3: {
        if (!readable) {
            return 1;
        }
        char *our_line = model_fgets(our_text, n + 1, ours), *their_line = fgets(their_text, n + 1, theirs);
        return !our_line == !their_line && !memcmp(our_text, their_text, sizeof our_text);
    }
    case 4: return !writable || __incise_file_put('a' + n, ours) == fputc('a' + n, theirs);
    case 5: return !writable || (__incise_file_puts(&"xyz"[n % 4], ours) >= 0) == (fputs(&"xyz"[n % 4], theirs) >= 0);
    case 6: return !writable || __incise_file_put_block("block", 2, (size_t)n % 3, ours) == fwrite("block", 2, (size_t)n % 3, theirs);
    case 7: return !writable || print(ours, "%d-%s", n, "p") == fprintf(theirs, "%d-%s", n, "p");
    case 8: return same_errno(model_fseek(ours, offset, from), fseek(theirs, offset, from));
    case 9: return model_ftell(ours) == ftell(theirs);
    default:
        model_rewind(ours);
        rewind(theirs);
        return 1;
    }
}

static int same_content(const char *name) {
    char text[4096];
    int at = 0;
    while (at < 16 && __incise_files[at].name && !(__incise_files[at].exists && !strcmp(__incise_files[at].name, name))) {
        at++;
    }
    int ours = at < 16 && __incise_files[at].name;
    FILE *file = fopen(name, "r");
    if (!file || !ours) {
        if (file) {
            fclose(file);
        }
        return !file == !ours;
    }
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    return (long)length == __incise_files[at].size && !memcmp(text, __incise_files[at].content, length);
}

static void check_streams(void) {
    static const char *const modes[] = {"r", "w", "a", "r+", "w+", "wx", "a+"};
    static const char *const names[] = {"given", "made", "missing/too", "", "other"};
    for (int round = 0; round < 4000; round++) {
        char text[48];
        random_text(text, 12, "ab\n\xff");
        restart(text);
        const char *name = names[below(5)], *mode = modes[below(7)];
        FILE *ours = model_fopen(name, mode), *theirs = fopen(name, mode);
        /* A folder that is not there has no file either. */
        CHECK(!ours == !theirs && (ours || *model___errno_location() == errno), "fopen(%s, %s)", name, mode);
        if (!ours || !theirs) {
            continue;
        }
        setvbuf(theirs, NULL, _IONBF, 0);
        int readable = mode[0] == 'r' || mode[1] == '+', writable = mode[0] != 'r' || mode[1] == '+';
        for (int step = 0; step < 12; step++) {
            /* Between reading and writing a stream wants a seek; which one comes next is not known. */
            int writing = writable && (!readable || below(2));
            if (readable && writable) {
                long at = ftell(theirs);
                CHECK(model_ftell(ours) == at, "position before step %d of round %d, %s", step, round, mode);
                fseek(theirs, at, SEEK_SET);
                model_fseek(ours, at, SEEK_SET);
            }
            CHECK(one_step(ours, theirs, readable && !(writing && readable), writing),
                  "step %d of round %d differs, %s", step, round, mode);
            CHECK(!model_feof(ours) == !feof(theirs) && !model_ferror(ours) == !ferror(theirs),
                  "flags after step %d of round %d, %s", step, round, mode);
        }
        CHECK(model_fclose(ours) == fclose(theirs), "fclose");
        CHECK(same_content(name), "the content of %s after round %d, %s", name, round, mode);
    }
}

static void check_descriptors(void) {
    static const int flags[] = {O_RDONLY, O_WRONLY, O_RDWR, O_RDWR | O_CREAT, O_WRONLY | O_CREAT | O_TRUNC,
                                O_WRONLY | O_APPEND, O_RDWR | O_CREAT | O_EXCL, O_RDONLY | O_TRUNC};
    for (int round = 0; round < 4000; round++) {
        char text[48], our_text[16], their_text[16];
        random_text(text, 12, "ab\n");
        restart(text);
        const char *name = below(2) ? "given" : "made";
        int how = flags[below(7)];
        int ours = model_open(name, how, 0644), theirs = open(name, how, 0644);
        CHECK((ours < 0) == (theirs < 0) && (ours >= 0 || *model___errno_location() == errno), "open(%s, %o)", name, how);
        for (int step = 0; ours >= 0 && theirs >= 0 && step < 8; step++) {
            memset(our_text, 'Z', sizeof our_text);
            memset(their_text, 'Z', sizeof their_text);
            size_t count = below(6);
            long offset = (long)below(12) - 4;
            int from = (int)below(4);
            switch (below(3)) {
            case 0: {
                long our_count = model_read(ours, our_text, count);
                CHECK(our_count == read(theirs, their_text, count) && !memcmp(our_text, their_text, sizeof our_text),
                      "read of round %d, %o", round, how);
                break;
            }
            case 1: {
                long our_count = model_write(ours, "written", count);
                CHECK(our_count == write(theirs, "written", count), "write of round %d, %o", round, how);
                break;
            }
            default: {
                long position = model_lseek(ours, offset, from == 3 ? 77 : from);
                CHECK(position == lseek(theirs, offset, from == 3 ? 77 : from), "lseek of round %d, %o", round, how);
            }
            }
        }
        struct stat our_stat, their_stat;
        if (ours >= 0 && theirs >= 0) {
            CHECK(!model_fstat(ours, &our_stat) && !fstat(theirs, &their_stat) && our_stat.st_size == their_stat.st_size &&
                      S_ISREG(our_stat.st_mode) && our_stat.st_nlink == their_stat.st_nlink,
                  "fstat");
            CHECK(model_close(ours) == close(theirs) && model_close(ours) == -1, "close");
        }
        CHECK(same_content(name), "the content of %s after round %d, %o", name, round, how);
    }
}

static void check_names(void) {
    static const char *const names[] = {"given", "made", "other"};
    for (int round = 0; round < 500; round++) {
        restart("content");
        for (int step = 0; step < 6; step++) {
            const char *one = names[below(3)], *other = names[below(3)];
            struct stat our_stat, their_stat;
            switch (below(5)) {
            case 0: CHECK(model_access(one, R_OK) == access(one, R_OK), "access(%s)", one); break;
            case 1: CHECK(model_unlink(one) == unlink(one), "unlink(%s)", one); break;
            case 2: CHECK(model_rename(one, other) == rename(one, other), "rename(%s, %s)", one, other); break;
            case 3: {
                int ours = model_stat(one, &our_stat), theirs = stat(one, &their_stat);
                CHECK(ours == theirs && (ours || our_stat.st_size == their_stat.st_size), "stat(%s)", one);
                break;
            }
            default: {
                FILE *ours = model_fopen(one, "a"), *theirs = fopen(one, "a");
                __incise_file_puts(other, ours);
                fputs(other, theirs);
                model_fclose(ours);
                fclose(theirs);
            }
            }
            for (int each = 0; each < 3; each++) {
                CHECK(same_content(names[each]), "%s in round %d", names[each], round);
            }
        }
    }
}

void check_files(void) {
    char folder[] = "/tmp/incise-files-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder)) {
        CHECK(0, "no folder");
        return;
    }
    check_streams();
    check_descriptors();
    check_names();
    restart("");
    FILE *file = model_fdopen(model_open("given", O_RDWR), "r+");
    CHECK(file && model_fileno(file) == 3 && model_fgetc(file) == EOF, "fdopen");
    CHECK(model_fdopen(9, "r") == NULL && *model___errno_location() == EBADF, "fdopen of what is not open");
    unlink("given");
    unlink("made");
    unlink("other");
    if (chdir("/") == 0) {
        rmdir(folder);
    }
}
