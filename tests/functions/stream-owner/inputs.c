// entry: stream_reset
// harmless: the checks are gathered in a helper, as a state check
// harmful: the window is not emptied
// taken: stream may be null; stream->state->owner may be stream
#include "../natural.h"
#include VERSION

static void try_once(void) {
    struct stream stream = {NULL, n_below(100)}, other = {NULL, 0};
    struct state state = {n_percent(80) ? &stream : &other, (int)n_below(4), n_below(10), n_below(10)};
    if (n_percent(90))
        stream.state = &state;
    struct stream *given = n_percent(90) ? &stream : NULL;
    n_show_number("given", given != NULL);
    n_show_number("state", stream.state != NULL);
    n_show_number("owned", state.owner == &stream);
    n_show_number("mode", state.mode);
    n_result(stream_reset(given));
    n_show_number("total", stream.total);
    n_show_number("mode", state.mode);
    n_show_number("window", state.window);
    n_show_number("pending", state.pending);
}
