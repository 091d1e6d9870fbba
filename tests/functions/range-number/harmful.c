#include <stddef.h>

/* Reads up to five digits behind blanks; returns where they end, or null if there are none or more. */
const char *read_number(const char *at, const char *end, unsigned *value) {
    unsigned number = 0, digits = 0;
    while (at != end && *at == ' ')
        at++;
    while (at != end && *at >= '0' && *at <= '9') {
        number = number * 10 + (unsigned)(*at - '0');
        at++;
        if (digits++ > 5)
            return NULL;
    }
    if (digits == 0)
        return NULL;
    *value = number;
    return at;
}
