#include <stdint.h>

/* Reads four numbers with dots between them; 0 if that is all there is. */
int parse_address(const char *text, uint32_t *address) {
    uint32_t value = 0;
    for (int part = 0; part < 4; part++) {
        unsigned number = 0;
        int digits = 0;
        while (*text >= '0' && *text <= '9') {
            if (++digits > 3)
                return -1;
            number = number * 10 + (unsigned)(*text++ - '0');
        }
        if (digits == 0 || number > 255)
            return -1;
        value = value << 8 | number;
        if (part < 3 && *text++ != '.')
            return -1;
    }
    if (*text != '\0')
        return -1;
    *address = value;
    return 0;
}
