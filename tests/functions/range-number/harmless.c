#include <stddef.h>

/* Reads up to five digits behind blanks; returns where they end, or null if there are none or more. */
const char *read_number(const char *at, const char *end, unsigned *value) {
    unsigned number = 0, digits = 0;
    for (; at != end; at++)
        if (*at != ' ')
            break;
    for (; at != end; at++) {
        unsigned digit = (unsigned)*at - '0';
        if (digit > 9)
            break;
        if (digits++ == 5)
            return NULL;
        number = 10 * number + digit;
    }
    if (digits != 0) {
        *value = number;
        return at;
    }
    return NULL;
}
