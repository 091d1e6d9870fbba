#include <limits.h>

/* Reads a number with a sign; 0 if it is one that fits. */
int parse_integer(const char *text, short *value) {
    int negative = *text == '-';
    int number = 0;
    if (*text == '-' || *text == '+')
        text++;
    if (*text == '\0')
        return -1;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return -1;
        int digit = *text - '0';
        if (number > (SHRT_MAX - digit) / 10)
            return -2;
        number = number * 10 + digit;
    }
    if (negative)
        number = -number;
    *value = (short)number;
    return 0;
}
