// RUN: incise run %s
// EXPECT: paths=1 errors=0 complete=true exit=0
// The calendar of dates that are known, and of one that is not.
#include <stdio.h>
#include <time.h>

int main(void) {
    long known[] = {0, 951782400, 951868799, 4107542400, 1709164800, -1};
    for (int i = 0; i < 6; i++) {
        time_t at = known[i];
        struct tm *date = localtime(&at);
        printf("%d-%d-%d %d:%d:%d %d %d\n", date->tm_year, date->tm_mon, date->tm_mday, date->tm_hour, date->tm_min,
               date->tm_sec, date->tm_wday, date->tm_yday);
        if (mktime(date) != known[i])
            return 99;
    }
    time_t now = time(NULL);
    struct tm date;
    gmtime_r(&now, &date);
    if (date.tm_sec > 59 || date.tm_hour > 23)
        return 98;
    return 0;
}
