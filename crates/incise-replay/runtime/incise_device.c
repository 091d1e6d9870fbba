/*
 * Devices: registers at fixed addresses, where a native run has no memory.
 *
 * The program is compiled to call a function before each load and store (clang's -fsanitize-coverage=trace-loads,
 * trace-stores). What leads to a page that nobody has is a device: the page is made, a value is taken from the test and
 * put there before it is read, and what was written is found there when the next access comes. All accesses are written
 * down in their order. Linked with programs whose tests have devices.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

typedef uint64_t u64;

extern void incise_take(const char *kind, void *target, unsigned long size);
extern __attribute__((noreturn)) void incise_diverged(const char *why);

enum { MOST_PAGES = 1024, MOST_ACCESSES = 1 << 16, PAGE = 4096 };

/* Registers whose addresses have more bits than this are none: it is where the program's own memory is. */
static const u64 end_of_registers = (u64)1 << 32;

struct access {
    u64 writes, size, address, value;
};

static struct access accesses[MOST_ACCESSES];
static u64 access_count;
static u64 pages[MOST_PAGES];
static u64 page_count;
/* Whether the last access is a write whose value was not looked at yet. */
static int pending;

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

/* Whether a page is a device's. One that is not there yet becomes one. */
static int is_device(u64 page) {
    /* Some pages of the program itself, by their numbers. */
    static u64 own[256];
    for (u64 i = 0; i < page_count; i++)
        if (pages[i] == page) return 1;
    if (page && page == own[page / PAGE % 256]) return 0;
    long made = kernel(SYS_mmap, (long)page, PAGE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | 0x100000 /* MAP_FIXED_NOREPLACE */, -1, 0);
    if (made == -17 /* EEXIST */) {
        own[page / PAGE % 256] = page;
        return 0;
    }
    /* The kernel keeps the lowest addresses to itself. */
    if ((u64)made != page || page_count == MOST_PAGES)
        for (;;) kernel(SYS_exit_group, 126, 0, 0, 0, 0, 0);
    pages[page_count++] = page;
    return 1;
}

static void look_at_write(void) {
    if (!pending) return;
    pending = 0;
    struct access *last = &accesses[access_count - 1];
    for (u64 i = 0; i < last->size && i < 8; i++)
        last->value |= (u64)((volatile unsigned char *)last->address)[i] << 8 * i;
}

static struct access *note(u64 writes, u64 address, u64 size) {
    look_at_write();
    if (access_count == MOST_ACCESSES) incise_diverged("too many accesses of devices");
    struct access *made = &accesses[access_count++];
    made->writes = writes;
    made->size = size;
    made->address = address;
    return made;
}

static void on_load(u64 address, u64 size) {
    if (address >= end_of_registers || !is_device(address / PAGE * PAGE)) return;
    struct access *made = note(0, address, size);
    incise_take("device", (void *)address, size);
    for (u64 i = 0; i < size && i < 8; i++) made->value |= (u64)((volatile unsigned char *)address)[i] << 8 * i;
}

static void on_store(u64 address, u64 size) {
    if (address >= end_of_registers || !is_device(address / PAGE * PAGE)) return;
    note(1, address, size);
    pending = 1;
}

#define HOOKS(size)                                                            \
    void __sanitizer_cov_load##size(void *address) { on_load((u64)address, size); } \
    void __sanitizer_cov_store##size(void *address) { on_store((u64)address, size); }

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

/* All accesses, as tests have them. */
const void *incise_accesses(u64 *size) {
    look_at_write();
    *size = access_count * sizeof *accesses;
    return accesses;
}
