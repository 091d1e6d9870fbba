/*
 * Files: a folder with a few of them in memory, the descriptors that are open, and the streams above them.
 *
 * The engine fills in what is there at the start (--sym-file) and looks at the table when the program has ended; the
 * layout of `struct __incise_node` is known to it (world.rs). The length of a file that was given is
 * symbolic until somebody needs the number: reading compares it with a position, which is concrete, and so forks into
 * "here it ends" and "here is a byte".
 *
 * Streams have no buffer of their own, as if the program had called setbuf(stream, NULL) first: what was written is in the file at once. The
 * native replay does the same. There are no folders: a name with a slash in it, "." and ".." do not exist.
 *
 * What other models call is named __incise_file_...: such a function is taken along only by programs that
 * can open a file at all or be given an open one (see select.rs), for nobody else can call it.
 *
 * Where a stream stands matters to whoever gave it: what moves it says so (__incise_moved), as what changes a file does (__incise_changed).
 */
#include "incise.h"

#define FILE_LIMIT 32
#define DESCRIPTOR_LIMIT 32
#define FIRST_DESCRIPTOR 3

#define OPEN_READ 1
#define OPEN_WRITE 2
#define OPEN_APPEND 4

struct __incise_node {
    char *name;
    byte *content;
    long size; /* symbolic until it is settled */
    long room; /* of the content; the longest that it can be while the size is symbolic */
    int exists;
    int changed;
    int given; /* GIVEN_STREAM: behind a stream that is an input, and without a name */
    int owned; /* the content was allocated here */
};

#define GIVEN_NAME 1
#define GIVEN_STREAM 2

struct __incise_node __incise_files[FILE_LIMIT];

struct __incise_descriptor {
    int open; /* how, or 0 */
    int file;
    long position;
    struct __incise_pushed pushed; /* by the stream above it */
};

/* The engine opens those of streams that are inputs (streams.rs). */
struct __incise_descriptor __incise_descriptors[DESCRIPTOR_LIMIT];

int __incise_plain_name(const char *name);
void __incise_changed(void);
void __incise_moved(void);
int __incise_format(char *buffer, size_t size, const char *format, va_list list);

/* ---- Files ---------------------------------------------------------------------------------- */

/* Whether a file that was given is there: where nobody knows, a path for each answer. */
static bool __incise_is_there(struct __incise_node *node) {
    if (klee_is_symbolic((uintptr_t)node->exists)) {
        int there = 0;
        if (node->exists) {
            there = 1;
            __incise_settled();
        } else {
            node->given = 0;
        }
        node->exists = there;
    }
    return node->exists;
}

/* Somebody came to the end of a file, or asked for its length: of one that was given there may be more than the engine made. */
static void __incise_note_end(struct __incise_node *node, long position) {
    if (node->given == GIVEN_NAME && !node->owned) {
        __incise_ended_file(node->name, position);
    }
}

/* Whether a file of that name is one that the program made or was given, and is gone. */
static bool __incise_was_made(const char *name) {
    for (int at = 0; at < FILE_LIMIT && __incise_files[at].name; at++) {
        struct __incise_node *node = &__incise_files[at];
        if (node->given != GIVEN_STREAM && !node->exists && __incise_same_name(name, node->name)) {
            return true;
        }
    }
    return false;
}

/* The number of the file of that name, or -1. */
static int __incise_look_for_file(const char *name) {
    for (int at = 0; at < FILE_LIMIT && __incise_files[at].name; at++) {
        struct __incise_node *node = &__incise_files[at];
        bool gone = !klee_is_symbolic((uintptr_t)node->exists) && !node->exists;
        if (node->given != GIVEN_STREAM && !gone && __incise_same_name(name, node->name) && __incise_is_there(node)) {
            return at;
        }
    }
    return -1;
}

/* The same for who does something else where there is none. */
static int __incise_find_file(const char *name) {
    int file = __incise_look_for_file(name);
    if (file < 0 && !__incise_was_made(name)) {
        __incise_no_file(name);
    }
    return file;
}

static int __incise_make_file(const char *name) {
    int at = 0;
    while (at < FILE_LIMIT && __incise_files[at].name) {
        at++;
    }
    if (at == FILE_LIMIT) {
        __incise_unsupported("a program that makes many files");
    }
    struct __incise_node *node = &__incise_files[at];
    node->name = __incise_keep_name(name);
    node->exists = 1;
    node->changed = 1;
    __incise_changed();
    return at;
}

/* The size as a number: a path for each. Behind a stream that is an input there may be more than the engine made: to look there ends the path at that bound. */
static long __incise_settled_size(struct __incise_node *node) {
    if (klee_is_symbolic((uintptr_t)node->size)) {
        long size = 0;
        while (node->size != size) {
            (void)*(volatile byte *)&node->content[size];
            size++;
        }
        __incise_note_end(node, size);
        node->size = size;
    }
    return node->size;
}

/* Makes room for so many bytes in memory that belongs to the file. */
static bool __incise_make_room(struct __incise_node *node, long size) {
    if (node->owned && size <= node->room) {
        return true;
    }
    long room = size < 32 ? 64 : 2 * size;
    byte *content = node->owned ? realloc(node->content, (size_t)room) : malloc((size_t)room);
    if (!content) {
        return false;
    }
    if (!node->owned && node->size) {
        memcpy(content, node->content, (size_t)node->size);
    }
    node->content = content;
    node->room = room;
    node->owned = 1;
    return true;
}

static void __incise_truncate(struct __incise_node *node) {
    node->size = 0;
    node->changed = 1;
    __incise_changed();
}

/* Writes at a position; what lies between the end and the position becomes zeros. */
static ssize_t __incise_store(struct __incise_descriptor *open, const void *bytes, size_t count) {
    struct __incise_node *node = &__incise_files[open->file];
    long size = __incise_settled_size(node);
    if (!count) {
        return 0;
    }
    if (open->open & OPEN_APPEND) {
        open->position = size;
    }
    long end = open->position + (long)count;
    if (!__incise_make_room(node, end)) {
        __incise_errno = ENOSPC_NUMBER;
        return -1;
    }
    if (open->position > size) {
        memset(node->content + size, 0, (size_t)(open->position - size));
    }
    memcpy(node->content + open->position, bytes, count);
    open->position = end;
    if (end > size) {
        node->size = end;
    }
    node->changed = 1;
    __incise_changed();
    return (ssize_t)count;
}

/* ---- Descriptors ------------------------------------------------------------------------------ */

static struct __incise_descriptor *__incise_opened(int descriptor) {
    unsigned at = (unsigned)descriptor - FIRST_DESCRIPTOR;
    if (at >= DESCRIPTOR_LIMIT || !__incise_descriptors[at].open) {
        __incise_errno = EBADF_NUMBER;
        return NULL;
    }
    return &__incise_descriptors[at];
}

/* fcntl.h of Linux. */
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_DIRECTORY 0200000

static int __incise_open(const char *name, int flags) {
    int how = (flags & 3) == O_WRONLY ? OPEN_WRITE : (flags & 3) == O_RDWR ? OPEN_READ | OPEN_WRITE : OPEN_READ;
    how |= flags & O_APPEND ? OPEN_APPEND : 0;
    /* Who empties it makes no difference between one that was there and one that was not. */
    bool emptied = flags & O_CREAT && flags & O_TRUNC && how & OPEN_WRITE && !(flags & O_EXCL);
    int file = emptied && __incise_plain_name(name) ? __incise_look_for_file(name) : __incise_find_file(name);
    if (file >= 0 && (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) {
        __incise_errno = EEXIST_NUMBER;
        return -1;
    }
    if (file >= 0 && flags & O_DIRECTORY) {
        __incise_errno = ENOTDIR_NUMBER;
        return -1;
    }
    if (file < 0 && (!(flags & O_CREAT) || !__incise_plain_name(name))) {
        __incise_errno = ENOENT_NUMBER;
        return -1;
    }
    int at = 0;
    while (at < DESCRIPTOR_LIMIT && __incise_descriptors[at].open) {
        at++;
    }
    if (at == DESCRIPTOR_LIMIT) {
        __incise_unsupported("a program that has many files open");
    }
    if (file < 0) {
        file = __incise_make_file(name);
    } else if (flags & O_TRUNC && how & OPEN_WRITE) {
        __incise_truncate(&__incise_files[file]);
    }
    __incise_descriptors[at].open = how;
    __incise_descriptors[at].file = file;
    __incise_descriptors[at].position = 0;
    __incise_descriptors[at].pushed.count = 0;
    return at + FIRST_DESCRIPTOR;
}

int open(const char *name, int flags, ...) { return __incise_open(name, flags); }

int open64(const char *name, int flags, ...) { return __incise_open(name, flags); }

int __open_2(const char *name, int flags) { return __incise_open(name, flags); }

int creat(const char *name, unsigned mode) {
    (void)mode;
    return __incise_open(name, O_WRONLY | O_CREAT | O_TRUNC);
}

int __incise_file_close(int descriptor) {
    struct __incise_descriptor *open = __incise_opened(descriptor);
    if (!open) {
        return -1;
    }
    __incise_moved();
    open->open = 0;
    return 0;
}

ssize_t __incise_file_read(int descriptor, void *block, size_t count) {
    struct __incise_descriptor *open = __incise_opened(descriptor);
    if (!open || !(open->open & OPEN_READ)) {
        __incise_errno = EBADF_NUMBER;
        return -1;
    }
    struct __incise_node *node = &__incise_files[open->file];
    byte *bytes = block;
    size_t length = 0;
    __incise_moved();
    while (length < count) {
        if (open->position >= node->size) {
            __incise_note_end(node, open->position);
            break;
        }
        bytes[length++] = node->content[open->position++];
    }
    return (ssize_t)length;
}

ssize_t __incise_file_write(int descriptor, const void *block, size_t count) {
    struct __incise_descriptor *open = __incise_opened(descriptor);
    if (!open || !(open->open & OPEN_WRITE)) {
        __incise_errno = EBADF_NUMBER;
        return -1;
    }
    return __incise_store(open, block, count);
}

long __incise_file_seek(int descriptor, long offset, int from) {
    struct __incise_descriptor *open = __incise_opened(descriptor);
    if (!open) {
        return -1;
    }
    long start = 0;
    if (from == 1) {
        start = open->position;
    } else if (from == 2) {
        start = __incise_settled_size(&__incise_files[open->file]);
    } else if (from != 0) {
        __incise_errno = EINVAL_NUMBER;
        return -1;
    }
    if (start + offset < 0) {
        __incise_errno = EINVAL_NUMBER;
        return -1;
    }
    __incise_moved();
    open->position = start + offset;
    return open->position;
}

/* ---- Streams ---------------------------------------------------------------------------------- */

int __incise_file_get(FILE *stream) {
    struct __incise_descriptor *open = __incise_opened(stream->descriptor);
    if (!open || !(open->open & OPEN_READ)) {
        __incise_errno = EBADF_NUMBER;
        stream->descriptor_and_flags |= STREAM_ERROR;
        return EOF;
    }
    __incise_moved();
    if (open->pushed.count) {
        return open->pushed.bytes[--open->pushed.count];
    }
    if (stream->descriptor_and_flags & STREAM_END) {
        return EOF;
    }
    struct __incise_node *node = &__incise_files[open->file];
    if (open->position >= node->size) {
        __incise_note_end(node, open->position);
        stream->descriptor_and_flags |= STREAM_END;
        return EOF;
    }
    return node->content[open->position++];
}

int __incise_file_unget(int c, FILE *stream) {
    struct __incise_descriptor *open = __incise_opened(stream->descriptor);
    if (!open || !(open->open & OPEN_READ) || open->pushed.count == PUSHED_LIMIT) {
        return EOF;
    }
    __incise_moved();
    open->pushed.bytes[open->pushed.count++] = (byte)c;
    stream->descriptor_and_flags &= ~STREAM_END;
    return (byte)c;
}

static bool __incise_put_bytes(FILE *stream, const void *bytes, size_t count) {
    struct __incise_descriptor *open = NULL;
    if ((stream->descriptor_and_flags & STREAM_DESCRIPTOR) == STREAM_FILE) {
        open = __incise_opened(stream->descriptor);
    }
    if (!open || !(open->open & OPEN_WRITE)) {
        __incise_errno = EBADF_NUMBER;
        stream->descriptor_and_flags |= STREAM_ERROR;
        return false;
    }
    if (__incise_store(open, bytes, count) < 0) {
        stream->descriptor_and_flags |= STREAM_ERROR;
        return false;
    }
    return true;
}

int __incise_file_put(int c, FILE *stream) {
    byte value = (byte)c;
    return __incise_put_bytes(stream, &value, 1) ? value : EOF;
}

int __incise_file_puts(const char *text, FILE *stream) {
    size_t length = 0;
    while (text[length]) {
        length++;
    }
    return __incise_put_bytes(stream, text, length) ? 1 : EOF;
}

int __incise_file_puts_line(const char *text, FILE *stream) {
    if (__incise_file_puts(text, stream) == EOF) {
        return EOF;
    }
    return __incise_put_bytes(stream, "\n", 1) ? 1 : EOF;
}

size_t __incise_file_put_block(const void *block, size_t size, size_t count, FILE *stream) {
    if (!size || !count) {
        return 0;
    }
    return __incise_put_bytes(stream, block, size * count) ? count : 0;
}

/* As much as formats usually make; a longer text is made once more, with room for it. */
#define TEXT_ROOM 256

static char *__incise_text(char *small, const char *format, va_list list, int *length) {
    va_list again;
    va_copy(again, list);
    *length = __incise_format(small, TEXT_ROOM, format, list);
    char *text = small;
    if (*length >= TEXT_ROOM) {
        text = malloc((size_t)*length + 1);
        if (text) {
            __incise_format(text, (size_t)*length + 1, format, again);
        } else {
            *length = -1;
        }
    }
    va_end(again);
    return text;
}

int __incise_file_print(FILE *stream, const char *format, va_list list) {
    char small[TEXT_ROOM];
    int length;
    char *text = __incise_text(small, format, list, &length);
    if (length > 0 && !__incise_put_bytes(stream, text, (size_t)length)) {
        length = -1;
    }
    if (text != small) {
        free(text);
    }
    return length;
}

int __incise_file_print_to(int descriptor, const char *format, va_list list) {
    char small[TEXT_ROOM];
    int length;
    char *text = __incise_text(small, format, list, &length);
    if (length >= 0) {
        length = (int)__incise_file_write(descriptor, text, (size_t)length);
    }
    if (text != small) {
        free(text);
    }
    return length;
}

/* What the engine calls by itself for output to a file: whoever can open one takes these along. */
void *const __incise_output_to_files[] = {
    (void *)__incise_file_put, (void *)__incise_file_puts,     (void *)__incise_file_put_block,
    (void *)__incise_file_print, (void *)__incise_file_print_to, (void *)__incise_file_puts_line,
};

/* Never called: whoever may have a stream as an input takes along what belongs to files by mentioning it. */
int __incise_streams(void) {
    return __incise_files->exists + __incise_descriptors->open + (*(void *const volatile *)__incise_output_to_files != 0);
}

static FILE *__incise_make_stream(int descriptor) {
    FILE *stream = malloc(sizeof *stream);
    if (!stream || !*(void *const volatile *)__incise_output_to_files) {
        __incise_errno = ENOMEM_NUMBER;
        return NULL;
    }
    memset(stream, 0, sizeof *stream);
    stream->descriptor_and_flags = STREAM_FILE;
    stream->descriptor = descriptor;
    return stream;
}

/* The flags of open() for a mode of fopen(), or -1. */
static int __incise_mode_flags(const char *mode) {
    int flags;
    switch (mode[0]) {
    case 'r': flags = 0; break;
    case 'w': flags = O_WRONLY | O_CREAT | O_TRUNC; break;
    case 'a': flags = O_WRONLY | O_CREAT | O_APPEND; break;
    default: return -1;
    }
    for (int at = 1; mode[at] && mode[at] != ','; at++) {
        if (mode[at] == '+') {
            flags = (flags & ~3) | O_RDWR;
        } else if (mode[at] == 'x') {
            flags |= O_EXCL;
        }
    }
    return flags;
}

static FILE *__incise_open_stream(const char *name, const char *mode) {
    int flags = __incise_mode_flags(mode);
    if (flags < 0) {
        __incise_errno = EINVAL_NUMBER;
        return NULL;
    }
    int descriptor = __incise_open(name, flags);
    if (descriptor < 0) {
        return NULL;
    }
    /* A stream that only appends stands at the end from the start. */
    if ((flags & (O_APPEND | 3)) == (O_APPEND | O_WRONLY)) {
        __incise_file_seek(descriptor, 0, 2);
    }
    FILE *stream = __incise_make_stream(descriptor);
    if (!stream) {
        __incise_file_close(descriptor);
    }
    return stream;
}

FILE *fopen(const char *name, const char *mode) { return __incise_open_stream(name, mode); }

FILE *fopen64(const char *name, const char *mode) { return __incise_open_stream(name, mode); }

/* The stream stays where it is, whatever it was before; where it cannot be opened again it is closed. */
static FILE *__incise_open_again(const char *name, const char *mode, FILE *stream) {
    int flags = __incise_mode_flags(mode);
    if (!name || flags < 0 || !*(void *const volatile *)__incise_output_to_files) {
        __incise_unsupported("freopen without a name, or with a mode that there is not");
    }
    int which = stream->descriptor_and_flags & STREAM_DESCRIPTOR;
    int standard = which != STREAM_FILE ? which + 1 : stream->shown;
    if (which == STREAM_FILE) {
        __incise_file_close(stream->descriptor);
    }
    int descriptor = __incise_open(name, flags);
    /* A closed stream of our own has no descriptor that anything is behind. */
    memset(stream, 0, sizeof *stream);
    stream->descriptor_and_flags = STREAM_FILE;
    stream->descriptor = descriptor;
    stream->shown = standard;
    if (standard) {
        __incise_redirected[standard - 1] = descriptor < 0 ? DESCRIPTOR_LIMIT + FIRST_DESCRIPTOR : descriptor;
    }
    if (descriptor < 0) {
        if (!standard) {
            free(stream);
        }
        return NULL;
    }
    if ((flags & (O_APPEND | 3)) == (O_APPEND | O_WRONLY)) {
        __incise_file_seek(descriptor, 0, 2);
    }
    return stream;
}

FILE *freopen(const char *name, const char *mode, FILE *stream) { return __incise_open_again(name, mode, stream); }

FILE *freopen64(const char *name, const char *mode, FILE *stream) { return __incise_open_again(name, mode, stream); }

FILE *fdopen(int descriptor, const char *mode) {
    if (__incise_mode_flags(mode) < 0) {
        __incise_errno = EINVAL_NUMBER;
        return NULL;
    }
    return __incise_opened(descriptor) ? __incise_make_stream(descriptor) : NULL;
}

int __incise_file_close_stream(FILE *stream) {
    int descriptor = stream->descriptor;
    free(stream);
    return __incise_file_close(descriptor) < 0 ? EOF : 0;
}

long __incise_file_seek_stream(FILE *stream, long offset, int from) {
    struct __incise_descriptor *open = __incise_opened(stream->descriptor);
    if (!open) {
        return -1;
    }
    if (from == 1) {
        offset -= open->pushed.count;
    }
    long position = __incise_file_seek(stream->descriptor, offset, from);
    if (position >= 0) {
        __incise_moved();
        open->pushed.count = 0;
        stream->descriptor_and_flags &= ~STREAM_END;
    }
    return position;
}

long __incise_file_tell_stream(FILE *stream) {
    struct __incise_descriptor *open = __incise_opened(stream->descriptor);
    if (!open) {
        return -1;
    }
    long position = open->position - open->pushed.count;
    if (position < 0) {
        __incise_errno = EIO_NUMBER;
        return -1;
    }
    return position;
}

/* ---- Names ------------------------------------------------------------------------------------- */

static int __incise_remove(const char *name) {
    int file = __incise_find_file(name);
    if (file < 0) {
        __incise_errno = ENOENT_NUMBER;
        return -1;
    }
    __incise_files[file].exists = 0;
    __incise_files[file].changed = 1;
    __incise_changed();
    return 0;
}

int unlink(const char *name) { return __incise_remove(name); }

int remove(const char *name) { return __incise_remove(name); }

int rename(const char *old, const char *new) {
    int file = __incise_find_file(old);
    if (file < 0) {
        __incise_errno = ENOENT_NUMBER;
        return -1;
    }
    int other = __incise_find_file(new);
    if (other == file) {
        return 0;
    }
    if (other < 0 && !__incise_plain_name(new)) {
        __incise_errno = ENOENT_NUMBER;
        return -1;
    }
    struct __incise_node *node = &__incise_files[file];
    if (other >= 0) {
        __incise_files[other].exists = 0;
        __incise_files[other].changed = 1;
        new = __incise_files[other].name;
    }
    if (node->given) {
        __incise_note_end(node, LONG_END);
        /* The old name stays in the table as one that was there and is gone. */
        int at = __incise_make_file(new);
        struct __incise_node *moved = &__incise_files[at];
        moved->content = node->content;
        moved->size = node->size;
        moved->room = node->room;
        moved->owned = node->owned;
        node->exists = 0;
        for (int each = 0; each < DESCRIPTOR_LIMIT; each++) {
            if (__incise_descriptors[each].open && __incise_descriptors[each].file == file) {
                __incise_descriptors[each].file = at;
            }
        }
    } else {
        node->name = __incise_keep_name(new);
    }
    node->changed = 1;
    __incise_changed();
    return 0;
}

int access(const char *name, int how) {
    if (__incise_find_file(name) < 0) {
        __incise_errno = ENOENT_NUMBER;
        return -1;
    }
    /* Nobody may execute it. */
    if (how & 1) {
        __incise_errno = EACCES_NUMBER;
        return -1;
    }
    return 0;
}

/* ---- What is known of a file -------------------------------------------------------------------- */

/* As Linux has it on x86-64. Times, owners and numbers of devices are zero. */
struct stat {
    unsigned long device, number, links;
    unsigned mode, user, group, unused;
    unsigned long special;
    long size, block_size, blocks;
    long times[6], reserved[3];
};

INLINE void __incise_describe(struct stat *known, long size) {
    memset(known, 0, sizeof *known);
    known->links = 1;
    known->mode = 0100644;
    known->block_size = 4096;
    known->size = size;
}

static int __incise_stat(const char *name, struct stat *known) {
    int file = __incise_find_file(name);
    if (file < 0) {
        __incise_errno = ENOENT_NUMBER;
        return -1;
    }
    __incise_note_end(&__incise_files[file], LONG_END);
    __incise_describe(known, __incise_files[file].size);
    return 0;
}

int stat(const char *name, struct stat *known) { return __incise_stat(name, known); }

int stat64(const char *name, struct stat *known) { return __incise_stat(name, known); }

int lstat(const char *name, struct stat *known) { return __incise_stat(name, known); }

int lstat64(const char *name, struct stat *known) { return __incise_stat(name, known); }

int __incise_file_how(int descriptor) {
    struct __incise_descriptor *open = __incise_opened(descriptor);
    return open ? open->open & (OPEN_READ | OPEN_WRITE) : 0;
}

long __incise_file_size(int descriptor) {
    struct __incise_descriptor *open = __incise_opened(descriptor);
    if (!open) {
        return -1;
    }
    __incise_note_end(&__incise_files[open->file], LONG_END);
    return __incise_files[open->file].size;
}

static int __incise_fstat(int descriptor, struct stat *known) {
    descriptor = __incise_actual(descriptor);
    long size = 0;
    if (descriptor == 0) {
        size = __incise_whole_stdin();
    } else if (descriptor != 1 && descriptor != 2) {
        if (!__incise_opened(descriptor)) {
            return -1;
        }
        size = __incise_file_size(descriptor);
    }
    __incise_describe(known, size);
    return 0;
}

int fstat(int descriptor, struct stat *known) { return __incise_fstat(descriptor, known); }

int fstat64(int descriptor, struct stat *known) { return __incise_fstat(descriptor, known); }
