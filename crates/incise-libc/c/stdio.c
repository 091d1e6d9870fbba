/*
 * stdio.h: input, and what needs no formatting. Output through streams is in the engine, files are in files.c.
 *
 * The bytes of the standard input come from the engine; here is the
 * bookkeeping of the descriptor, of stdio's buffer above it, and of the bytes that were pushed back. The
 * buffer matters because a read() behind stdio's back finds only what the buffer has not taken. How long the input is may be
 * symbolic: a buffer then ends where it is full or where the input does, whichever comes first, and the latter is not asked before somebody comes there.
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

/* Where the next read() of the descriptor starts, and which bytes the buffer still holds, if the input is that long. */
static long __incise_stdin_descriptor;
static long __incise_stdin_position;
static long __incise_stdin_buffer_end;
static struct __incise_pushed __incise_stdin_pushed;
/* Whether the descriptor moved last when the buffer was filled: then it does not stand behind the end of the input. */
static bool __incise_stdin_filled;

int __incise_redirected[3];

int __incise_get(FILE *stream) {
    int which = stream->descriptor_and_flags & STREAM_DESCRIPTOR;
    if (which == STREAM_FILE) {
        return __incise_file_get(stream);
    }
    if (which != 0) {
        stream->descriptor_and_flags |= STREAM_ERROR;
        __incise_errno = EBADF_NUMBER;
        return EOF;
    }
    if (__incise_stdin_pushed.count) {
        return __incise_stdin_pushed.bytes[--__incise_stdin_pushed.count];
    }
    bool empty = __incise_stdin_position == __incise_stdin_buffer_end;
    long position = empty ? __incise_stdin_descriptor : __incise_stdin_position;
    if (!empty && position >= __incise_stdin_size()) {
        __incise_stdin_ended(position);
        /* Where the buffer ends before it is full, so did the input. Somebody may have moved the descriptor since. */
        __incise_stdin_buffer_end = position;
        __incise_stdin_descriptor = __incise_stdin_filled ? position : __incise_stdin_descriptor;
        position = __incise_stdin_descriptor;
        empty = true;
    }
    if (position >= __incise_stdin_size()) {
        __incise_stdin_ended(position);
        stream->descriptor_and_flags |= STREAM_END;
        return EOF;
    }
    if (empty) {
        __incise_stdin_position = position;
        __incise_stdin_descriptor += BUFFER_SIZE;
        __incise_stdin_buffer_end = __incise_stdin_descriptor;
        __incise_stdin_filled = true;
    }
    return __incise_stdin_byte(__incise_stdin_position++) & 255;
}

int __incise_unget(int c, FILE *stream) {
    int which = stream->descriptor_and_flags & STREAM_DESCRIPTOR;
    if (which == STREAM_FILE && c != EOF) {
        return __incise_file_unget(c, stream);
    }
    if (c == EOF || which != 0 || __incise_stdin_pushed.count == PUSHED_LIMIT) {
        return EOF;
    }
    __incise_stdin_pushed.bytes[__incise_stdin_pushed.count++] = (byte)c;
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

static size_t __incise_get_block(void *block, size_t size, size_t count, FILE *stream) {
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

size_t fread(void *block, size_t size, size_t count, FILE *stream) {
    return __incise_get_block(block, size, count, stream);
}

size_t fread_unlocked(void *block, size_t size, size_t count, FILE *stream) {
    return __incise_get_block(block, size, count, stream);
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

void clearerr_unlocked(FILE *stream) { stream->descriptor_and_flags &= ~(STREAM_END | STREAM_ERROR); }

INLINE int __incise_number_of(const FILE *stream) { return stream->shown ? stream->shown - 1 : stream->descriptor; }

int fileno(FILE *stream) { return __incise_number_of(stream); }

int fileno_unlocked(FILE *stream) { return __incise_number_of(stream); }

/* Nothing that was written to a standard stream is lost by leaving it open. */
int fclose(FILE *stream) {
    if ((stream->descriptor_and_flags & STREAM_DESCRIPTOR) == STREAM_FILE && !stream->shown) {
        return __incise_file_close_stream(stream);
    }
    return 0;
}

/* How long the standard input is, for whoever asks for the number itself. */
long __incise_whole_stdin(void) {
    __incise_stdin_ended(LONG_END);
    return __incise_stdin_size();
}

/* What the standard input would be if it came from a file: the native replay gives it as one. */
static long __incise_seek_stdin(long offset, int from, long current) {
    long start = from == 0 ? 0 : from == 1 ? current : __incise_whole_stdin();
    if ((unsigned)from > 2) {
        __incise_errno = EINVAL_NUMBER;
        return -1;
    }
    long position = start + offset;
    if (position < 0) {
        __incise_errno = EINVAL_NUMBER;
        return -1;
    }
    __incise_stdin_descriptor = position;
    __incise_stdin_filled = false;
    return position;
}

/* Where the descriptor stands: a buffer that is not full ends with the input. */
static long __incise_stdin_place(void) {
    if (__incise_stdin_filled && __incise_stdin_descriptor > __incise_stdin_size()) {
        return __incise_whole_stdin();
    }
    return __incise_stdin_descriptor;
}

INLINE long __incise_tell_stdin(void) {
    long buffered = __incise_stdin_buffer_end - __incise_stdin_position;
    return __incise_stdin_descriptor - buffered - __incise_stdin_pushed.count;
}

static long __incise_seek_stream(FILE *stream, long offset, int from) {
    int which = stream->descriptor_and_flags & STREAM_DESCRIPTOR;
    if (which == STREAM_FILE) {
        return __incise_file_seek_stream(stream, offset, from);
    }
    if (which != 0) {
        __incise_unsupported("a position in standard output or standard error");
    }
    long position = __incise_seek_stdin(offset, from, __incise_tell_stdin());
    if (position >= 0) {
        __incise_stdin_position = __incise_stdin_buffer_end = position;
        __incise_stdin_pushed.count = 0;
        stream->descriptor_and_flags &= ~STREAM_END;
    }
    return position;
}

int fseek(FILE *stream, long offset, int from) { return __incise_seek_stream(stream, offset, from) < 0 ? -1 : 0; }

int fseeko(FILE *stream, long offset, int from) { return __incise_seek_stream(stream, offset, from) < 0 ? -1 : 0; }

int fseeko64(FILE *stream, long offset, int from) { return __incise_seek_stream(stream, offset, from) < 0 ? -1 : 0; }

void rewind(FILE *stream) {
    __incise_seek_stream(stream, 0, 0);
    stream->descriptor_and_flags &= ~(STREAM_END | STREAM_ERROR);
}

static long __incise_tell_stream(FILE *stream) {
    int which = stream->descriptor_and_flags & STREAM_DESCRIPTOR;
    if (which == STREAM_FILE) {
        return __incise_file_tell_stream(stream);
    }
    if (which != 0) {
        __incise_unsupported("a position in standard output or standard error");
    }
    return __incise_tell_stdin();
}

long ftell(FILE *stream) { return __incise_tell_stream(stream); }

long ftello(FILE *stream) { return __incise_tell_stream(stream); }

long ftello64(FILE *stream) { return __incise_tell_stream(stream); }

INLINE int __incise_flush(FILE *stream) {
    if (stream) {
        (void)*(volatile int *)&stream->descriptor_and_flags;
    }
    return 0;
}

int fflush(FILE *stream) { return __incise_flush(stream); }

int fflush_unlocked(FILE *stream) { return __incise_flush(stream); }

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

/* ---- stdio_ext.h ------------------------------------------------------------------------------- */

/* Nothing waits in a buffer: what is written goes out at once. */
size_t __fpending(FILE *stream) {
    (void)stream;
    return 0;
}

/* Whether the stream can only be read, or only be written; what was done last with one that can be both is not known. */
static int __incise_one_way(FILE *stream, int way, int other) {
    int which = stream->descriptor_and_flags & STREAM_DESCRIPTOR;
    int how = which == 0 ? STREAM_READS : which == STREAM_FILE ? __incise_file_how(stream->descriptor) : STREAM_WRITES;
    if (how & way && how & other) {
        __incise_unsupported("__freading and __fwriting of a stream that reads and writes");
    }
    return (how & way) != 0;
}

int __freading(FILE *stream) { return __incise_one_way(stream, STREAM_READS, STREAM_WRITES); }

int __fwriting(FILE *stream) { return __incise_one_way(stream, STREAM_WRITES, STREAM_READS); }

int __fsetlocking(FILE *stream, int how) {
    (void)stream, (void)how;
    return 1;
}

void flockfile(FILE *stream) { (void)stream; }

void funlockfile(FILE *stream) { (void)stream; }

/* ---- unistd.h: the descriptors below the streams -------------------------------------------- */

ssize_t read(int descriptor, void *block, size_t count) {
    descriptor = __incise_actual(descriptor);
    if (descriptor != 0) {
        if (descriptor > 2) {
            return __incise_file_read(descriptor, block, count);
        }
        __incise_errno = EBADF_NUMBER;
        return -1;
    }
    if (__incise_stdin_filled) {
        __incise_stdin_descriptor = __incise_stdin_place();
        __incise_stdin_filled = false;
    }
    byte *bytes = block;
    size_t length = 0;
    while (length < count) {
        if (__incise_stdin_descriptor >= __incise_stdin_size()) {
            __incise_stdin_ended(__incise_stdin_descriptor);
            break;
        }
        bytes[length++] = (byte)__incise_stdin_byte(__incise_stdin_descriptor++);
    }
    return (ssize_t)length;
}

ssize_t write(int descriptor, const void *block, size_t count) {
    descriptor = __incise_actual(descriptor);
    if (descriptor != 1 && descriptor != 2) {
        if (descriptor > 2) {
            return __incise_file_write(descriptor, block, count);
        }
        __incise_errno = EBADF_NUMBER;
        return -1;
    }
    __incise_output(descriptor, block, count);
    return (ssize_t)count;
}

static long __incise_seek(int descriptor, long offset, int from) {
    if (descriptor > 2) {
        return __incise_file_seek(descriptor, offset, from);
    }
    if (descriptor < 0) {
        __incise_errno = EBADF_NUMBER;
        return -1;
    }
    if (descriptor != 0) {
        __incise_unsupported("a position in standard output or standard error");
    }
    return __incise_seek_stdin(offset, from, __incise_stdin_place());
}

long lseek(int descriptor, long offset, int from) {
    return __incise_seek(__incise_actual(descriptor), offset, from);
}

long lseek64(int descriptor, long offset, int from) {
    return __incise_seek(__incise_actual(descriptor), offset, from);
}

int close(int descriptor) {
    if (descriptor > 2) {
        return __incise_file_close(descriptor);
    }
    if (descriptor < 0) {
        __incise_errno = EBADF_NUMBER;
        return -1;
    }
    /* Nothing that was written is lost, and nobody writes or reads there again. */
    return 0;
}

int isatty(int descriptor) {
    descriptor = __incise_actual(descriptor);
    bool open = (unsigned)descriptor <= 2;
    if (descriptor > 2) {
        open = __incise_file_size(descriptor) != -1;
    }
    __incise_errno = open ? ENOTTY_NUMBER : EBADF_NUMBER;
    return 0;
}
