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

static int is_wrong(const struct stream *stream) {
    if (stream == NULL)
        return 1;
    const struct state *state = stream->state;
    return state == NULL || state->owner != stream || !(state->mode == 1 || state->mode == 2);
}

/* Begins a stream anew; -1 if it is none that was opened. */
int stream_reset(struct stream *stream) {
    if (is_wrong(stream))
        return -1;
    struct state *state = stream->state;
    stream->total = 0;
    state->pending = 0;
    state->window = 0;
    state->mode = 1;
    return 0;
}
