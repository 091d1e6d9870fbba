// entry: reader_fill
// harmless: what is left is counted instead of what is used
// harmful: an error of the source counts as its end
// taken: reader is not null; reader->read is an unknown function; out has room for `room` bytes; result of reader->read is at most its third argument
#include "../natural.h"
#include VERSION

static const uint8_t *source;
static int left;

static int read_some(void *context, uint8_t *out, int room) {
    int most = *(int *)context;
    if (left < 0)
        return -1;
    int count = left < room ? left : room;
    if (count > most)
        count = most;
    memcpy(out, source, (size_t)count);
    source += count;
    left -= count;
    if (left == 0 && most > 2)
        left = -1;
    return count;
}

static void try_once(void) {
    size_t size = n_size();
    int most = 1 + (int)n_below(4), room = (int)n_size();
    uint8_t *out = n_new((size_t)room);
    struct reader reader = {read_some, &most, n_percent(20)};
    source = n_bytes(size);
    left = (int)size;
    memset(out, 0, (size_t)room);
    n_show("source", source, size);
    n_show_number("most", most);
    n_show_number("room", room);
    n_show_number("failed", reader.failed);
    n_result(reader_fill(&reader, out, room));
    n_show("out", out, (size_t)room);
    n_show_number("failed", reader.failed);
}
