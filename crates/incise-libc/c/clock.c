/*
 * time.h and sys/time.h: what the clock says is an input, a new one for each question, and never less than the one before.
 *
 * All clocks are one, except that of the processor. It is some time between 1970 and the year 10000, and the time zone is
 * UTC. The calendar is computed without branches on the date, so that asking for it does not fork.
 */
#include "incise.h"

/* A new input of that name with first <= value < end. */
long __incise_now(const char *name, long first, long end);

#define END_OF_TIME 253402300800l
#define SECOND 1000000000l

/* The last answer. */
static long __incise_last_second;
static long __incise_last_fraction;
static long __incise_last_clock;

static long __incise_ask_second(void) {
    long second = __incise_now("time", __incise_last_second, END_OF_TIME);
    /* Within the same second, the fraction goes on from the last one. */
    __incise_last_fraction &= -(long)(second == __incise_last_second);
    __incise_last_second = second;
    return second;
}

static long __incise_ask_nanosecond(void) {
    __incise_last_fraction = __incise_now("time_nanoseconds", __incise_last_fraction, SECOND);
    return __incise_last_fraction;
}

long time(long *target) {
    long now = __incise_ask_second();
    if (target) {
        *target = now;
    }
    return now;
}

long clock(void) {
    __incise_last_clock = __incise_now("clock", __incise_last_clock, 1l << 40);
    return __incise_last_clock;
}

struct __incise_time {
    long seconds;
    long fraction;
};

int gettimeofday(struct __incise_time *now, void *zone) {
    (void)zone;
    if (now) {
        now->seconds = __incise_ask_second();
        now->fraction = __incise_now("time_microseconds", (__incise_last_fraction + 999) / 1000, 1000000);
        __incise_last_fraction = now->fraction * 1000;
    }
    return 0;
}

int clock_gettime(int which, struct __incise_time *now) {
    if ((unsigned)which > 11) {
        __incise_errno = EINVAL_NUMBER;
        return -1;
    }
    now->seconds = __incise_ask_second();
    now->fraction = __incise_ask_nanosecond();
    return 0;
}

int timespec_get(struct __incise_time *now, int base) {
    if (base != 1) {
        return 0;
    }
    now->seconds = __incise_ask_second();
    now->fraction = __incise_ask_nanosecond();
    return base;
}

double difftime(long later, long earlier) { return (double)(later - earlier); }

struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

/* Days since 1970-01-01 of a date, by the calendar whose years begin in March. */
static long __incise_days(long year, long month, long day) {
    long from_march = (month + 9) % 12;
    year -= from_march / 10;
    long era = (year >= 0 ? year : year - 399) / 400;
    long of_era = year - era * 400;
    long of_year = (153 * from_march + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static struct tm *__incise_calendar(const long *time, struct tm *result) {
    long seconds = *time;
    long days = seconds / 86400;
    seconds -= days * 86400;
    long before = seconds < 0;
    days -= before;
    seconds += before * 86400;
    long shifted = days + 719468;
    long era = (shifted - 146096 * (shifted < 0)) / 146097;
    long of_era = shifted - era * 146097;
    long year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    long of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    long from_march = (5 * of_year + 2) / 153;
    long month = from_march + 2 - 12 * (from_march >= 10);
    long year = year_of_era + era * 400 + (month <= 1);
    result->tm_sec = (int)(seconds % 60);
    result->tm_min = (int)(seconds / 60 % 60);
    result->tm_hour = (int)(seconds / 3600);
    result->tm_mday = (int)(of_year - (153 * from_march + 2) / 5 + 1);
    result->tm_mon = (int)month;
    result->tm_year = (int)(year - 1900);
    /* 1970-01-01 was a Thursday. */
    long weekday = (days + 4) % 7;
    result->tm_wday = (int)(weekday + 7 * (weekday < 0));
    result->tm_yday = (int)(days - __incise_days(year, 1, 1));
    result->tm_isdst = 0;
    result->tm_gmtoff = 0;
    result->tm_zone = "GMT";
    return result;
}

static struct tm __incise_shared_calendar;

struct tm *gmtime(const long *time) { return __incise_calendar(time, &__incise_shared_calendar); }

struct tm *localtime(const long *time) { return __incise_calendar(time, &__incise_shared_calendar); }

struct tm *gmtime_r(const long *time, struct tm *result) { return __incise_calendar(time, result); }

struct tm *localtime_r(const long *time, struct tm *result) { return __incise_calendar(time, result); }

static long __incise_from_calendar(struct tm *date) {
    long months = (long)date->tm_year * 12 + date->tm_mon;
    long year = months / 12 - (months % 12 < 0);
    long days = __incise_days(year + 1900, months - year * 12 + 1, 1) + date->tm_mday - 1;
    long time = days * 86400 + date->tm_hour * 3600l + date->tm_min * 60l + date->tm_sec;
    __incise_calendar(&time, date);
    return time;
}

long mktime(struct tm *date) { return __incise_from_calendar(date); }

long timegm(struct tm *date) { return __incise_from_calendar(date); }

void tzset(void) {}
