/*
 * Devices, which are registers at fixed addresses, where a native run has no memory; and volatile variables that others
 * change.
 *
 * The program calls a function here before each volatile load and store. What leads to a page that nobody has is a
 * device: the page is made. A value is taken from the test and put there before it is read, and what was written is
 * found there afterwards. All accesses are written down in their order. Linked with programs whose tests have devices.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

typedef uint64_t u64;

extern int incise_has(const char *kind);
extern void incise_take(const char *kind, void *target, unsigned long size);
extern __attribute__((noreturn)) void incise_diverged(const char *why);

enum { MOST_PAGES = 1024, MOST_ACCESSES = 1 << 16, PAGE = 4096 };

/* Registers whose addresses have more bits than this are none: it is where the program's own memory is. */
static const u64 end_of_registers = (u64)1 << 32;

struct access {
    u64 kind, size, place, value;
};

static struct access accesses[MOST_ACCESSES];
static u64 access_count;
static u64 pages[MOST_PAGES];
static u64 page_count;
/* Whether the last access is a write whose value was not looked at yet, and where it is. */
static int pending;
static u64 pending_address;

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
        last->value |= (u64)((volatile unsigned char *)pending_address)[i] << 8 * i;
}

static struct access *note(u64 writes, u64 address, u64 size) {
    look_at_write();
    if (access_count == MOST_ACCESSES) incise_diverged("too many accesses of devices");
    struct access *made = &accesses[access_count++];
    made->kind = writes;
    made->size = size;
    pending_address = address;
    return made;
}

/* Constants cannot be written, and others change them all the same. */
static void make_writable(u64 address, u64 size) {
    static u64 known[256];
    for (u64 page = address / PAGE * PAGE; page < address + size; page += PAGE) {
        if (page == known[page / PAGE % 256]) continue;
        known[page / PAGE % 256] = page;
        kernel(SYS_mprotect, (long)page, PAGE, PROT_READ | PROT_WRITE, 0, 0, 0);
    }
}

enum { WRITES = 1, NOT_SHARED = 2, VARIABLE = 2 };

/* Before a volatile access of a place, with the number of the variable if it is known. */
void incise_volatile(void *place, u64 size, u64 what, u64 variable) {
    u64 address = (u64)place, writes = what & WRITES;
    int device = address < end_of_registers && is_device(address / PAGE * PAGE);
    if (!device && what & NOT_SHARED) return;
    struct access *made = note(writes, address, size);
    if (!device) made->kind += VARIABLE;
    made->place = device ? address : variable;
    if (writes) {
        pending = 1;
        return;
    }
    /* The access that a path ends at, because it goes wrong, has no value. */
    if (!device && !incise_has("device")) return;
    unsigned char bytes[16] = {0};
    if (size > sizeof bytes) incise_diverged("an access of a whole volatile object");
    incise_take("device", bytes, size);
    for (u64 i = 0; i < size && i < 8; i++) made->value |= (u64)bytes[i] << 8 * i;
    int differs = 0;
    for (u64 i = 0; i < size; i++) differs |= ((volatile unsigned char *)address)[i] != bytes[i];
    if (!differs) return;
    if (!device) make_writable(address, size);
    for (u64 i = 0; i < size; i++) ((volatile unsigned char *)address)[i] = bytes[i];
}

/* Behind a volatile store. */
void incise_volatile_done(void) { look_at_write(); }

/* All accesses, as tests have them. */
const void *incise_accesses(u64 *size) {
    look_at_write();
    *size = access_count * sizeof *accesses;
    return accesses;
}
