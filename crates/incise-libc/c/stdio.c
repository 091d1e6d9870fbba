/*
 * stdio.h: input, and what needs no formatting. Output through streams is in the engine.
 *
 * The standard input is the only stream that can be read. Its bytes come from the engine; here is the
 * bookkeeping of the descriptor, of stdio's buffer above it, and of the bytes that were pushed back. The
 * buffer matters because a read() behind stdio's back finds only what the buffer has not taken.
 */
#include "incise.h"

FILE __incise_stdin_stream = {.descriptor_and_flags = 0, .descriptor = 0};
FILE __incise_stdout_stream = {.descriptor_and_flags = 1, .descriptor = 1};
FILE __incise_stderr_stream = {.descriptor_and_flags = 2, .descriptor = 2};

FILE *stdin = &__incise_stdin_stream;
FILE *stdout = &__incise_stdout_stream;
FILE *stderr = &__incise_stderr_stream;

int fputc(int c, FILE *stream);
int putchar(int c);
int fputs(const char *text, FILE *stream);
int puts(const char *text);
size_t fwrite(const void *block, size_t size, size_t count, FILE *stream);

#define BUFFER_SIZE 4096
#define PUSHED_LIMIT 16

/* Where the next read() of the descriptor starts, and which bytes the buffer still holds. */
static long __incise_stdin_descriptor;
static long __incise_stdin_position;
static long __incise_stdin_buffer_end;
static byte __incise_stdin_pushed[PUSHED_LIMIT];
static int __incise_stdin_pushed_count;

int __incise_get(FILE *stream) {
    if ((stream->descriptor_and_flags & STREAM_DESCRIPTOR) != 0) {
        stream->descriptor_and_flags |= STREAM_ERROR;
        __incise_errno = EBADF_NUMBER;
        return EOF;
    }
    if (__incise_stdin_pushed_count) {
        return __incise_stdin_pushed[--__incise_stdin_pushed_count];
    }
    if (__incise_stdin_position == __incise_stdin_buffer_end) {
        long rest = __incise_stdin_size() - __incise_stdin_descriptor;
        if (rest <= 0) {
            stream->descriptor_and_flags |= STREAM_END;
            return EOF;
        }
        __incise_stdin_position = __incise_stdin_descriptor;
        __incise_stdin_descriptor += rest < BUFFER_SIZE ? rest : BUFFER_SIZE;
        __incise_stdin_buffer_end = __incise_stdin_descriptor;
    }
    return __incise_stdin_byte(__incise_stdin_position++) & 255;
}

int __incise_unget(int c, FILE *stream) {
    if (c == EOF || (stream->descriptor_and_flags & STREAM_DESCRIPTOR) != 0 ||
        __incise_stdin_pushed_count == PUSHED_LIMIT) {
        return EOF;
    }
    __incise_stdin_pushed[__incise_stdin_pushed_count++] = (byte)c;
    stream->descriptor_and_flags &= ~STREAM_END;
    return (byte)c;
}

int fgetc(FILE *stream) { return __incise_get(stream); }

int getc(FILE *stream) { return __incise_get(stream); }

int _IO_getc(FILE *stream) { return __incise_get(stream); }

int getchar(void) { return __incise_get(stdin); }

int fgetc_unlocked(FILE *stream) { return __incise_get(stream); }

int getc_unlocked(FILE *stream) { return __incise_get(stream); }

int getchar_unlocked(void) { return __incise_get(stdin); }

int __uflow(FILE *stream) { return __incise_get(stream); }

int ungetc(int c, FILE *stream) { return __incise_unget(c, stream); }

INLINE char *__incise_get_line(char *line, int size, FILE *stream) {
    if (size <= 0) {
        return NULL;
    }
    int length = 0;
    while (length < size - 1) {
        int c = __incise_get(stream);
        if (c == EOF) {
            if (!length) {
                return NULL;
            }
            break;
        }
        line[length++] = (char)c;
        if (c == '\n') {
            break;
        }
    }
    line[length] = 0;
    return line;
}

char *fgets(char *line, int size, FILE *stream) { return __incise_get_line(line, size, stream); }

char *fgets_unlocked(char *line, int size, FILE *stream) { return __incise_get_line(line, size, stream); }

size_t fread(void *block, size_t size, size_t count, FILE *stream) {
    size_t wanted = size * count;
    size_t length = 0;
    byte *bytes = block;
    if (!wanted) {
        return 0;
    }
    while (length < wanted) {
        int c = __incise_get(stream);
        if (c == EOF) {
            break;
        }
        bytes[length++] = (byte)c;
    }
    return length == wanted ? count : length / size;
}

static ssize_t __incise_get_delimited(char **line, size_t *size, int delimiter, FILE *stream) {
    if (!line || !size) {
        __incise_errno = EINVAL_NUMBER;
        return -1;
    }
    if (!*line || !*size) {
        *size = 120;
        *line = realloc(*line, *size);
        if (!*line) {
            __incise_errno = ENOMEM_NUMBER;
            return -1;
        }
    }
    size_t length = 0;
    for (;;) {
        int c = __incise_get(stream);
        if (c == EOF) {
            if (!length) {
                return -1;
            }
            break;
        }
        if (length + 2 > *size) {
            char *larger = realloc(*line, *size * 2);
            if (!larger) {
                __incise_errno = ENOMEM_NUMBER;
                return -1;
            }
            *line = larger;
            *size *= 2;
        }
        (*line)[length++] = (char)c;
        if (c == delimiter) {
            break;
        }
    }
    (*line)[length] = 0;
    return (ssize_t)length;
}

ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *stream) {
    return __incise_get_delimited(line, size, delimiter, stream);
}

ssize_t __getdelim(char **line, size_t *size, int delimiter, FILE *stream) {
    return __incise_get_delimited(line, size, delimiter, stream);
}

ssize_t getline(char **line, size_t *size, FILE *stream) {
    return __incise_get_delimited(line, size, '\n', stream);
}

int feof(FILE *stream) { return (stream->descriptor_and_flags & STREAM_END) != 0; }

int ferror(FILE *stream) { return (stream->descriptor_and_flags & STREAM_ERROR) != 0; }

int feof_unlocked(FILE *stream) { return (stream->descriptor_and_flags & STREAM_END) != 0; }

int ferror_unlocked(FILE *stream) { return (stream->descriptor_and_flags & STREAM_ERROR) != 0; }

void clearerr(FILE *stream) { stream->descriptor_and_flags &= ~(STREAM_END | STREAM_ERROR); }

int fileno(FILE *stream) { return stream->descriptor; }

/*
 * A program is explored, and its tests are replayed, in an empty folder: there is no file to read.
 * Writing one, or a path that leaves the folder, would have an effect that the models do not have.
 */
INLINE FILE *__incise_open(const char *path, const char *mode) {
    if (mode[0] != 'r' || path[0] == '/' || path[0] == '.') {
        __incise_unsupported("fopen for writing or outside of the current folder");
    }
    __incise_errno = ENOENT_NUMBER;
    return NULL;
}

FILE *fopen(const char *path, const char *mode) { return __incise_open(path, mode); }

FILE *fopen64(const char *path, const char *mode) { return __incise_open(path, mode); }

/* Only the standard streams exist; nothing that was written is lost by leaving them open. */
int fclose(FILE *stream) {
    (void)*(volatile int *)&stream->descriptor_and_flags;
    return 0;
}

int fflush(FILE *stream) {
    (void)stream;
    return 0;
}

int fflush_unlocked(FILE *stream) {
    (void)stream;
    return 0;
}

int setvbuf(FILE *stream, char *buffer, int mode, size_t size) {
    (void)stream, (void)buffer, (void)size;
    return (unsigned)mode <= 2 ? 0 : -1;
}

void setbuf(FILE *stream, char *buffer) { (void)stream, (void)buffer; }

void setbuffer(FILE *stream, char *buffer, size_t size) { (void)stream, (void)buffer, (void)size; }

void setlinebuf(FILE *stream) { (void)stream; }

/* ---- Other names of what the engine does --------------------------------------------------- */

int __overflow(FILE *stream, int c) { return fputc(c, stream); }

int fputc_unlocked(int c, FILE *stream) { return fputc(c, stream); }

int putc_unlocked(int c, FILE *stream) { return fputc(c, stream); }

int _IO_putc(int c, FILE *stream) { return fputc(c, stream); }

int putchar_unlocked(int c) { return putchar(c); }

int fputs_unlocked(const char *text, FILE *stream) { return fputs(text, stream); }

size_t fwrite_unlocked(const void *block, size_t size, size_t count, FILE *stream) {
    return fwrite(block, size, count, stream);
}

/* ---- unistd.h: the descriptors below the streams -------------------------------------------- */

ssize_t read(int descriptor, void *block, size_t count) {
    if (descriptor != 0) {
        __incise_errno = EBADF_NUMBER;
        return -1;
    }
    byte *bytes = block;
    long size = __incise_stdin_size();
    size_t length = 0;
    while (length < count) {
        if (__incise_stdin_descriptor >= size) {
            break;
        }
        bytes[length++] = (byte)__incise_stdin_byte(__incise_stdin_descriptor++);
    }
    return (ssize_t)length;
}

ssize_t write(int descriptor, const void *block, size_t count) {
    if (descriptor != 1 && descriptor != 2) {
        __incise_errno = EBADF_NUMBER;
        return -1;
    }
    __incise_output(descriptor, block, count);
    return (ssize_t)count;
}

int isatty(int descriptor) {
    __incise_errno = (unsigned)descriptor <= 2 ? ENOTTY_NUMBER : EBADF_NUMBER;
    return 0;
}
