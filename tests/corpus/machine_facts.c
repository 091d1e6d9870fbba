// RUN: incise run %s --entry pages
// EXPECT: paths=3 errors=0 complete=true exit=0
// The machine is the same everywhere: one processor, a gibibyte of memory.
#include <unistd.h>

long pages(long wanted) {
    long free_pages = sysconf(_SC_AVPHYS_PAGES);
    if (wanted > free_pages || wanted < 0) {
        return -1;
    }
    return sysconf(_SC_NPROCESSORS_ONLN) * getpagesize() + (sysconf(_SC_PHYS_PAGES) > free_pages);
}
