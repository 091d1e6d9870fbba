#include <stddef.h>

struct state;

struct stream {
    struct state *state;
    unsigned total;
};

struct state {
    struct stream *owner;
    int mode;
    unsigned window;
    unsigned pending;
};

/* Begins a stream anew; -1 if it is none that was opened. */
int stream_reset(struct stream *stream) {
    struct state *state;
    if (stream == NULL || stream->state == NULL)
        return -1;
    state = stream->state;
    if (state->owner != stream || state->mode < 1 || state->mode > 2)
        return -1;
    stream->total = 0;
    state->pending = 0;
    if (state->mode == 2) {
        state->mode = 1;
        state->window = 0;
    }
    return 0;
}
