// RUN: incise run %s --solver-timeout 60s
// EXPECT: paths=4 errors=0 complete=true exit=0
// The clock never goes back.
#include <sys/time.h>
#include <time.h>

int main(void) {
    struct timespec fine;
    struct timeval wall;
    time_t first = time(NULL);
    clock_gettime(CLOCK_REALTIME, &fine);
    gettimeofday(&wall, NULL);
    if (fine.tv_sec < first || wall.tv_sec < fine.tv_sec)
        return 99;
    if (wall.tv_sec == fine.tv_sec && wall.tv_usec * 1000 < fine.tv_nsec - 999)
        return 98;
    clock_t spent = clock();
    if (clock() < spent)
        return 97;
    time_t last;
    time(&last);
    if (last - first > 60)
        return 2;
    return last == first;
}
