#include <stddef.h>
#include <string.h>

static const char *months[] = {
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
};

/* The number of a month, from 1; 0 if there is no such month. */
int month_number(const char *name) {
    for (size_t i = 0; i < sizeof months / sizeof months[0]; i++)
        if (strcmp(months[i], name) == 0)
            return (int)i + 1;
    return 0;
}
