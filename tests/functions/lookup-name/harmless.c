#include <stddef.h>
#include <string.h>

static const char *months[] = {
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
    NULL,
};

/* The number of a month, from 1; 0 if there is no such month. */
int month_number(const char *name) {
    for (const char **month = months; *month != NULL; month++)
        if (strcmp(name, *month) == 0)
            return (int)(month - months) + 1;
    return 0;
}
