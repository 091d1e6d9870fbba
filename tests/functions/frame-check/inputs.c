// entry: frame_check
// harmless: conditions negated and nested, the sum in a helper
// harmful: the last byte of the payload is left out of the sum
// taken: frame has room for `length` bytes
#include "../natural.h"
#include VERSION

static void try_once(void) {
    unsigned length = (unsigned)n_size();
    uint8_t *frame = n_bytes(length);
    if (length > 1 && n_percent(90))
        memcpy(frame, "\x55\xaa", 2);
    if (length > 10 && n_percent(70)) {
        frame[10] = 0;
        for (int i = 2; i < 10; i++)
            frame[10] += frame[i];
    }
    n_show("frame", frame, length);
    n_result(frame_check(frame, length));
}
