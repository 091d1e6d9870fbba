/*
 * The driver of native replays: reads one test, puts its inputs in place, calls the entry and writes down
 * what the program left behind. `incise replay` compiles it together with the program and with a piece of
 * LLVM IR (src/replay/glue.rs) that knows the entry's signature and the global variables.
 *
 *   driver SCRIPT RECORD PARENT
 *
 * SCRIPT is the test (src/replay/script.rs has the format), RECORD is what is written at the end, PARENT is the process
 * that waits. The
 * program under test may define any function of the C library itself, so what matters here goes
 * straight to the kernel (x86-64 Linux).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

typedef uint64_t u64;
typedef unsigned char byte;

struct incise_input {
    const char *kind, *name;
    const byte *bytes;
    unsigned long size;
};
extern const struct incise_input *incise_inputs;
extern unsigned long incise_input_count;

/* From the generated piece. */
extern void incise_call(void **parameters, void *result);
/* What errno is when the entry is called, and what it was when the entry returned. */
int incise_errno;
extern void *const incise_globals[];
extern const u64 incise_global_count;
extern const byte incise_entry_is_main;
/* From incise_device.c, where tests have devices. */
extern const void *incise_accesses(u64 *size) __attribute__((weak));

enum { OBJECT, PARAMETER, GLOBAL, NOWHERE, ASKED, RESULT, STREAM, DEVICES, HEAP };
enum { LOOKED_AT = 256 };
enum { RETURNED = 1, EXITED = 2, DIVERGED = 3, FAULTED = 4, REPORTED = 5 };
enum { STACK = 8 << 20 };

/* Where a run with threads is led along a schedule, incise_schedule.c has these. */
__attribute__((weak)) void incise_read_schedule(const u64 *schedule) { (void)schedule; }
__attribute__((weak)) void incise_end_turn(void) {}

static const char *record_path;
static u64 object_count, parameter_count, dump_count, look_count, result_size;
static void **objects, **parameters;
/* How large the objects are, and whether a pointer leads into the middle of one. */
static u64 *object_sizes;
static byte *entered;
static const u64 *dumps, *looks;
static byte *result;

/* What is written down of an object or variable: six numbers. For one on the heap: in which of these before it the pointer lies
   that leads there (from one; zero for the result), the bytes before the pointer, and those of the object before its target. */
enum { DUMP = 6 };
/* For each of them where it is, and how much of it there is. */
static struct { const byte *at; u64 size; } *found;

/* ---- The kernel ------------------------------------------------------------------------------ */

static long kernel(long number, long a, long b, long c, long d, long e, long f) {
    long answer;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(answer)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return answer;
}

static void leave(int status) {
    for (;;) kernel(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

static void *pages(u64 size) {
    long at = kernel(SYS_mmap, 0, (long)(size + 4096), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at < 0 && at > -4096) leave(126);
    return (void *)at;
}

static void copy(void *target, const void *source, u64 size) {
    volatile byte *to = target;
    const byte *from = source;
    for (u64 i = 0; i < size; i++) to[i] = from[i];
}

/* ---- The record ------------------------------------------------------------------------------ */

static int record_file = -1;

static void put(const void *bytes, u64 size) {
    const byte *at = bytes;
    while (size > 0) {
        long done = kernel(SYS_write, record_file, (long)at, (long)size, 0, 0, 0);
        if (done <= 0) leave(126);
        at += done;
        size -= (u64)done;
    }
}

static void put_number(u64 number) { put(&number, sizeof number); }

static void open_record(u64 how) {
    record_file = (int)kernel(SYS_open, (long)record_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600, 0, 0, 0);
    if (record_file < 0) leave(126);
    put_number(how);
}

/* The bytes at an address, as many as there are up to a limit. The kernel says where memory ends. */
static u64 put_there(const void *address, u64 most) {
    long counted = kernel(SYS_lseek, record_file, 0, SEEK_CUR, 0, 0, 0);
    put_number(0);
    u64 there = 0;
    while (there < most) {
        long done = kernel(SYS_write, record_file, (long)address + (long)there, (long)(most - there), 0, 0, 0);
        if (done <= 0) break;
        there += (u64)done;
    }
    kernel(SYS_lseek, record_file, counted, SEEK_SET, 0, 0, 0);
    put_number(there);
    kernel(SYS_lseek, record_file, 0, SEEK_END, 0, 0, 0);
    return there;
}

static void *nowhere(u64 index);

/* What tells where addresses lead: those of all objects and variables, and what is found at the pointers that the test asks about. */
static void record_addresses(void) {
    put_number(object_count);
    for (u64 i = 0; i < object_count; i++) put_number((u64)objects[i]);
    put_number(incise_global_count);
    for (u64 i = 0; i < incise_global_count; i++) put_number((u64)incise_globals[i]);
    put_number((u64)nowhere(0));
    put_number(look_count);
    for (u64 i = 0; i < look_count; i++) {
        const u64 *look = looks + 3 * i;
        if (look[0] == HEAP && look[2] + sizeof(void *) > found[look[1]].size) {
            put_number(0);
            continue;
        }
        const byte *from = look[0] == RESULT ? result
                           : look[0] == GLOBAL ? incise_globals[look[1]]
                           : look[0] == HEAP   ? found[look[1]].at
                                               : objects[look[1]];
        const void *address;
        copy(&address, from + look[2], sizeof address);
        put_there(address, LOOKED_AT);
    }
}

/* ---- Streams ----------------------------------------------------------------------------------- */

/* Of each object that is a stream: its descriptor, and another one that shows the file when the stream is closed. */
static struct { int file, shown; } *streams;

/* A stream on a file without a name, as the models have it (files.c of incise-libc): without a buffer, at the start. */
static void *open_stream(u64 index, const byte *bytes, u64 size) {
    int file = (int)kernel(SYS_memfd_create, (long)"stream", 1 /* MFD_CLOEXEC */, 0, 0, 0, 0);
    for (u64 at = 0; at < size;) {
        long done = kernel(SYS_pwrite64, file, (long)(bytes + at), (long)(size - at), (long)at, 0, 0);
        if (done <= 0) leave(126);
        at += (u64)done;
    }
    streams[index].file = file;
    streams[index].shown = (int)kernel(SYS_fcntl, file, F_DUPFD_CLOEXEC, 100, 0, 0, 0);
    FILE *stream = file < 0 || streams[index].shown < 0 ? 0 : fdopen(file, "r+");
    if (!stream) leave(126);
    setvbuf(stream, 0, _IONBF, 0);
    return stream;
}

/* Where a stream stands, whether it met its end or an error or is closed, and what is in its file. */
static void put_stream(u64 index) {
    struct stat own, shown;
    kernel(SYS_fstat, streams[index].shown, (long)&shown, 0, 0, 0, 0);
    /* Its descriptor may be another file's by now. */
    int open = !kernel(SYS_fstat, streams[index].file, (long)&own, 0, 0, 0, 0) && own.st_ino == shown.st_ino &&
               own.st_dev == shown.st_dev;
    FILE *stream = objects[index];
    long position = open ? ftell(stream) : -1;
    unsigned flags = open ? (feof(stream) ? 1u : 0u) | (ferror(stream) ? 2u : 0u) : 4u;
    u64 size = (u64)shown.st_size;
    put_number(12 + size);
    put(&position, 8);
    put(&flags, 4);
    byte block[4096];
    for (u64 at = 0; at < size;) {
        long done = kernel(SYS_pread64, streams[index].shown, (long)block, sizeof block, (long)at, 0, 0);
        if (done <= 0) leave(126);
        put(block, (u64)done);
        at += (u64)done;
    }
}

/* Where an object on the heap is; null if the pointer that should lead to it cannot be read. */
static const byte *heap_object(const u64 *dump) {
    u64 within = dump[3], offset = dump[4];
    const byte *holder = within ? found[within - 1].at : result;
    u64 size = within ? found[within - 1].size : result_size;
    const byte *pointer = 0;
    if (offset + sizeof pointer > size) return 0;
    copy(&pointer, holder + offset, sizeof pointer);
    return pointer ? pointer - dump[5] : 0;
}

/* What the program left: its result, then each object that the test asks about. */
static void record(u64 how) {
    open_record(how);
    put_number(result_size);
    put(result, result_size);
    put_number(dump_count);
    for (u64 i = 0; i < dump_count; i++) {
        const u64 *dump = dumps + DUMP * i;
        if (dump[0] == STREAM) {
            put_stream(dump[1]);
            continue;
        }
        if (dump[0] == DEVICES) {
            u64 size = 0;
            const void *accesses = incise_accesses ? incise_accesses(&size) : 0;
            put_number(size);
            put(accesses, size);
            continue;
        }
        if (dump[0] == HEAP) {
            found[i].at = heap_object(dump);
            found[i].size = put_there(found[i].at, dump[2]);
            continue;
        }
        found[i].at = dump[0] == GLOBAL ? incise_globals[dump[1]] : objects[dump[1]];
        found[i].size = dump[2];
        put_number(dump[2]);
        put(found[i].at, dump[2]);
    }
    record_addresses();
}

static void record_text(u64 how, const char *text) {
    u64 length = 0;
    while (text && text[length]) length++;
    open_record(how);
    put_number(length);
    put(text, length);
}

__attribute__((noreturn)) void incise_diverged(const char *why) {
    record_text(DIVERGED, why);
    leave(125);
    __builtin_unreachable();
}

/* How a run with threads came to its end. */
__attribute__((noreturn)) void incise_note(u64 how, const char *text) {
    record_text(how, text);
    leave(122);
    __builtin_unreachable();
}

__attribute__((noreturn)) void incise_reported(const char *message) {
    incise_end_turn();
    record_text(REPORTED, message);
    leave(124);
    __builtin_unreachable();
}

/* What `_exit` and `_Exit` of the program are renamed to. */
void incise_exit(int status) {
    incise_end_turn();
    record(EXITED);
    leave(status);
}
void incise_exit_too(int status) { incise_exit(status); }

static void at_exit(void) {
    incise_end_turn();
    record(EXITED);
}

static void on_fault(int number, siginfo_t *info, void *context) {
    (void)context;
    open_record(FAULTED);
    put_number((u64)info->si_addr);
    /* The handler is gone (SA_RESETHAND), so the same fault now ends the process. */
    (void)number;
}

/* ---- The script ------------------------------------------------------------------------------- */

static const byte *script;

static u64 number(void) {
    u64 value;
    copy(&value, script, sizeof value);
    script += sizeof value;
    return value;
}

/* Bytes in the script: a count, then that many, then zeros up to a multiple of eight (one at least, so that text ends). */
static const byte *counted(u64 *size) {
    *size = number();
    const byte *bytes = script;
    script += *size / 8 * 8 + 8;
    return bytes;
}

/* An address that is not null and that nothing can be read from, different for each index. */
static void *nowhere(u64 index) {
    static byte *region;
    const u64 size = 1 << 24;
    if (!region) {
        region = pages(size);
        kernel(SYS_mprotect, (long)region, (long)size, PROT_NONE, 0, 0, 0);
    }
    return region + (64 * index + 64) % size;
}

static void *holder(u64 kind, u64 index) {
    switch (kind) {
        case OBJECT: return objects[index];
        case PARAMETER: return parameters[index];
        case NOWHERE: return nowhere(index);
        case ASKED: return (byte *)incise_inputs[index].bytes;
        default: return incise_globals[index];
    }
}

static void read_objects(void) {
    object_count = number();
    objects = pages(object_count * sizeof *objects);
    streams = pages(object_count * sizeof *streams);
    object_sizes = pages(object_count * sizeof *object_sizes);
    entered = pages(object_count * sizeof *entered);
    for (u64 i = 0; i < object_count; i++) {
        u64 kind = number(), size;
        const byte *bytes = counted(&size);
        if (kind == STREAM) {
            objects[i] = open_stream(i, bytes, size);
            continue;
        }
        /* malloc, so that a sanitizer knows the exact size. */
        objects[i] = malloc(size);
        object_sizes[i] = size;
        copy(objects[i], bytes, size);
    }
}

static void read_parameters(void) {
    parameter_count = number();
    parameters = pages(parameter_count * sizeof *parameters);
    for (u64 i = 0; i < parameter_count; i++) {
        u64 size;
        const byte *bytes = counted(&size);
        /* Room beyond the bytes: the piece that loads the parameter may load padding too. */
        parameters[i] = pages(size);
        copy(parameters[i], bytes, size);
    }
}

static void read_globals(void) {
    for (u64 count = number(); count > 0; count--) {
        u64 index = number(), size;
        const byte *bytes = counted(&size);
        copy(incise_globals[index], bytes, size);
    }
}

static void read_pointers(void) {
    for (u64 count = number(); count > 0; count--) {
        u64 kind = number(), index = number(), offset = number();
        u64 target_kind = number(), target_index = number(), addend = number();
        byte *target = (byte *)holder(target_kind, target_index) + addend;
        if (target_kind == OBJECT && addend > 0) entered[target_index] = 1;
        copy((byte *)holder(kind, index) + offset, &target, sizeof target);
    }
}

/* How much is left of an object from a pointer on that leads into the middle of it, if others do, too: what begins there was
   made as a part of a larger object, since nobody knows where it begins before the program says so. */
static u64 left_of(const void *pointer) {
    for (u64 i = 0; i < object_count; i++) {
        const byte *begin = objects[i];
        if (entered[i] && (const byte *)pointer > begin && (const byte *)pointer < begin + object_sizes[i])
            return begin + object_sizes[i] - (const byte *)pointer;
    }
    return 0;
}

__attribute__((weak)) void incise_inner_free(void *pointer) {
    if (!left_of(pointer)) free(pointer);
}

__attribute__((weak)) void *incise_inner_realloc(void *pointer, u64 size) {
    u64 left = left_of(pointer);
    if (!left) return realloc(pointer, size);
    void *other = size ? malloc(size) : 0;
    if (other) copy(other, pointer, left < size ? left : size);
    return other;
}

static void read_inputs(void) {
    incise_input_count = number();
    struct incise_input *inputs = pages(incise_input_count * sizeof *inputs);
    for (u64 i = 0; i < incise_input_count; i++) {
        u64 size;
        inputs[i].kind = (const char *)counted(&size);
        inputs[i].name = (const char *)counted(&size);
        const byte *bytes = counted(&size);
        /* A copy, because pointers are put into it. */
        byte *own = pages(size);
        copy(own, bytes, size);
        inputs[i].bytes = own;
        inputs[i].size = size;
    }
    incise_inputs = inputs;
}

static char **read_arguments(u64 *count) {
    *count = number();
    char **arguments = pages((*count + 1) * sizeof *arguments);
    for (u64 i = 0; i < *count; i++) {
        u64 size;
        const byte *bytes = counted(&size);
        arguments[i] = malloc(size + 1);
        copy(arguments[i], bytes, size + 1);
    }
    return arguments;
}

static const byte *read_file(const char *path) {
    int file = (int)kernel(SYS_open, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0, 0);
    if (file < 0) leave(126);
    long size = kernel(SYS_lseek, file, 0, 2, 0, 0, 0);
    long at = kernel(SYS_mmap, 0, size > 0 ? size : 1, PROT_READ, MAP_PRIVATE, file, 0);
    if (size < 0 || (at < 0 && at > -4096)) leave(126);
    kernel(SYS_close, file, 0, 0, 0, 0, 0);
    return (const byte *)at;
}

/* ---- The run ------------------------------------------------------------------------------------ */

#ifdef INCISE_SANITIZED
const char *__asan_default_options(void) {
    return "detect_leaks=0:abort_on_error=0:exitcode=123:allocator_may_return_null=1:detect_stack_use_after_return=1:"
           "handle_abort=0:handle_sigfpe=0:strict_string_checks=1:color=never:symbolize=0";
}
/* The sanitizer takes an allocation of no bytes for one of one byte, which would be read and written unseen. */
extern void __asan_poison_memory_region(const volatile void *place, size_t size);
extern void *__real_malloc(size_t size), *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size) {
    void *place = __real_malloc(size);
    if (place && !size) __asan_poison_memory_region(place, 1);
    return place;
}
void *__wrap_calloc(size_t count, size_t size) {
    void *place = __real_calloc(count, size);
    if (place && (!count || !size)) __asan_poison_memory_region(place, 1);
    return place;
}
const char *__ubsan_default_options(void) { return "print_stacktrace=0:halt_on_error=0:color=never:symbolize=0"; }
static void catch_faults(void) {}
#else
static void catch_faults(void) {
    stack_t stack = {.ss_sp = pages(1 << 16), .ss_size = 1 << 16};
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND};
    action.sa_sigaction = on_fault;
    sigaltstack(&stack, 0);
    sigaction(SIGSEGV, &action, 0);
    sigaction(SIGBUS, &action, 0);
}
#endif

int main(int count, char **words) {
    if (count != 3) return 126;
    record_path = words[2];
    script = read_file(words[1]);
    /* Output goes out at once: what a program printed before it died is part of what it did. */
    setvbuf(stdout, 0, _IONBF, 0);
    result_size = number();
    result = pages(result_size + (1 << 16));
    read_objects();
    read_parameters();
    read_globals();
    read_inputs();
    read_pointers();
    u64 argument_count;
    char **arguments = read_arguments(&argument_count);
    dump_count = number();
    dumps = (const u64 *)script;
    script += DUMP * sizeof *dumps * dump_count;
    found = pages(dump_count * sizeof *found);
    look_count = number();
    looks = (const u64 *)script;
    script += 3 * sizeof *looks * look_count;
    incise_read_schedule((const u64 *)script);
    /* As much as a process may have would be the default, and few threads would have room. */
    pthread_attr_t threads;
    if (!pthread_getattr_default_np(&threads) && !pthread_attr_setstacksize(&threads, STACK))
        pthread_setattr_default_np(&threads);
    nowhere(0);
    catch_faults();
    atexit(at_exit);
    if (incise_entry_is_main) {
        /* As the models have it (error.c of incise-libc); messages of the C library begin with it. */
        program_invocation_name = program_invocation_short_name = arguments[0];
        int argc = (int)argument_count;
        char **environment_pointer = environ;
        copy(parameters[0], &argc, sizeof argc);
        copy(parameters[1], &arguments, sizeof arguments);
        copy(parameters[2], &environment_pointer, sizeof environment_pointer);
        incise_call(parameters, result);
        int status;
        copy(&status, result, sizeof status);
        exit(status);
    }
    errno = incise_errno;
    incise_call(parameters, result);
    incise_errno = errno;
    incise_end_turn();
    record(RETURNED);
    leave(0);
}
