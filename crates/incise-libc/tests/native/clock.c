/* The calendar, against that of the C library; and a clock that never goes back. */
#define _GNU_SOURCE
#include "check.h"
#include <sys/time.h>
#include <time.h>

time_t model_time(time_t *);
int model_clock_gettime(int, struct timespec *);
int model_gettimeofday(struct timeval *, void *);
clock_t model_clock(void);
struct tm *model_gmtime_r(const time_t *, struct tm *);
time_t model_timegm(struct tm *);
double model_difftime(time_t, time_t);

static int same_date(const struct tm *one, const struct tm *other) {
    return one->tm_sec == other->tm_sec && one->tm_min == other->tm_min && one->tm_hour == other->tm_hour &&
           one->tm_mday == other->tm_mday && one->tm_mon == other->tm_mon && one->tm_year == other->tm_year &&
           one->tm_wday == other->tm_wday && one->tm_yday == other->tm_yday && one->tm_isdst == other->tm_isdst;
}

void check_clock(void) {
    for (int round = 0; round < 20000; round++) {
        time_t at = (time_t)(next_random() % (4 * 253402300800ull)) - 253402300800ll;
        if (round % 3 == 0) {
            at = at / 86400 * 86400 - (time_t)below(2);
        }
        struct tm ours, theirs;
        memset(&ours, 0, sizeof ours);
        model_gmtime_r(&at, &ours);
        gmtime_r(&at, &theirs);
        CHECK(same_date(&ours, &theirs), "the date of %ld", (long)at);
        ours.tm_mday += (int)below(100) - 50;
        ours.tm_mon += (int)below(40) - 20;
        ours.tm_sec -= (int)below(100000);
        theirs = ours;
        CHECK(model_timegm(&ours) == timegm(&theirs) && same_date(&ours, &theirs), "a date near %ld", (long)at);
    }
    struct timespec last = {0, 0};
    for (int round = 0; round < 1000; round++) {
        struct timespec now = {0, 0};
        struct timeval wall;
        switch (below(3)) {
        case 0: now.tv_sec = model_time(NULL); break;
        case 1: model_clock_gettime(CLOCK_REALTIME, &now); break;
        default:
            model_gettimeofday(&wall, NULL);
            now = (struct timespec){wall.tv_sec, wall.tv_usec * 1000};
        }
        CHECK(now.tv_sec > last.tv_sec || (now.tv_sec == last.tv_sec && (now.tv_nsec >= last.tv_nsec || !now.tv_nsec)),
              "the clock went back");
        last = now;
    }
    clock_t spent = model_clock();
    CHECK(model_clock() >= spent && model_difftime(7, 9) == difftime(7, 9), "clock and difftime");
}
