/* Reading the standard input, against a stream of the C library with the same content. */
#define _GNU_SOURCE
#include "check.h"
#include <unistd.h>

int model_getchar(void);
int model_fgetc(FILE *);
int model_ungetc(int, FILE *);
char *model_fgets(char *, int, FILE *);
size_t model_fread(void *, size_t, size_t, FILE *);
ssize_t model_getline(char **, size_t *, FILE *);
ssize_t model_getdelim(char **, size_t *, int, FILE *);
int model_feof(FILE *);
int model_ferror(FILE *);
void model_clearerr(FILE *);
int model_fileno(FILE *);
ssize_t model_read(int, void *, size_t);
extern FILE *model_stdin, *model_stdout, *model_stderr;

static char model_state[256];

/* Reads what is left, with a way that resets the end-of-file flag before and after. */
void restart_input(const char *text) {
    char rest[64];
    model_clearerr(model_stdin);
    while (model_fread(rest, 1, sizeof rest, model_stdin)) {
    }
    model_clearerr(model_stdin);
    /* The model counts positions from the start of all input, so the new text follows the old one. */
    static char all[1 << 22];
    size_t length = strlen(text);
    if ((size_t)input_size + length + 1 > sizeof all) {
        printf("the test needs more input than it has room for\n");
        exit(3);
    }
    memcpy(all + input_size, text, length + 1);
    input_size += (long)length;
    input_text = all;
}

static int one_step(FILE *theirs) {
    char ours_line[64], theirs_line[64];
    memset(ours_line, 'Z', sizeof ours_line);
    memset(theirs_line, 'Z', sizeof theirs_line);
    unsigned n = below(9);
    switch (below(7)) {
    case 0: return model_getchar() == fgetc(theirs);
    case 1: {
        char *our_result = model_fgets(ours_line, (int)n, model_stdin);
        char *their_result = fgets(theirs_line, (int)n, theirs);
        return !our_result == !their_result && !memcmp(ours_line, theirs_line, sizeof ours_line);
    }
    case 2: {
        size_t size = below(4);
        size_t our_count = model_fread(ours_line, size, n, model_stdin);
        return our_count == fread(theirs_line, size, n, theirs) &&
               !memcmp(ours_line, theirs_line, sizeof ours_line);
    }
    case 3: {
        int c = model_fgetc(model_stdin);
        if (c != fgetc(theirs)) {
            return 0;
        }
        return model_ungetc(c, model_stdin) == ungetc(c, theirs);
    }
    case 4: {
        char *our_line = NULL, *their_line = NULL;
        size_t our_size = 0, their_size = 0;
        ssize_t our_length = model_getline(&our_line, &our_size, model_stdin);
        ssize_t their_length = getline(&their_line, &their_size, theirs);
        int same = our_length == their_length && our_size == their_size;
        if (same && our_length > 0) {
            same = !memcmp(our_line, their_line, (size_t)our_length + 1);
        }
        free(our_line);
        free(their_line);
        return same;
    }
    case 5: {
        char *our_line = malloc(4), *their_line = malloc(4);
        size_t our_size = 4, their_size = 4;
        ssize_t our_length = model_getdelim(&our_line, &our_size, 'a', model_stdin);
        ssize_t their_length = getdelim(&their_line, &their_size, 'a', theirs);
        int same = our_length == their_length;
        if (same && our_length > 0) {
            same = !memcmp(our_line, their_line, (size_t)our_length + 1);
        }
        free(our_line);
        free(their_line);
        return same;
    }
    default:
        return !model_feof(model_stdin) == !feof(theirs) && !model_ferror(model_stdin) == !ferror(theirs);
    }
}

void check_stdio(void) {
    for (int round = 0; round < 2000; round++) {
        char text[64];
        random_text(text, 40, "ab\n\xff");
        FILE *theirs = tmpfile();
        if (!theirs) {
            CHECK(0, "no temporary file");
            return;
        }
        fputs(text, theirs);
        rewind(theirs);
        restart_input(text);
        for (int step = 0; step < 12; step++) {
            CHECK(one_step(theirs), "step %d of round %d differs", step, round);
        }
        fclose(theirs);
    }
    CHECK(model_fileno(model_stdin) == 0 && model_fileno(model_stdout) == 1 && model_fileno(model_stderr) == 2, "fileno");
    CHECK((*(int *)model_stdout & 3) == 1 && (*(int *)model_stderr & 3) == 2, "the descriptor in the first word");
    /* read() takes what stdio's buffer left: nothing of a short input, the rest of a long one. */
    restart_input("hello");
    CHECK(model_getchar() == 'h' && model_read(0, model_state, 10) == 0, "read behind a filled buffer");
    CHECK(model_getchar() == 'e', "the buffer is still there");
    restart_input("world");
    CHECK(model_read(0, model_state, 3) == 3 && !memcmp(model_state, "wor", 3), "read");
    CHECK(model_getchar() == 'l', "stdio goes on where read stopped");
    CHECK(model_read(0, model_state, 3) == 0, "read at the end");
    CHECK(model_read(7, model_state, 3) == -1 && *model___errno_location() == 9, "read of a bad descriptor");
}
