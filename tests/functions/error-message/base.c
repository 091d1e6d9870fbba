#include <stddef.h>
#include <string.h>

enum error { ERROR_NONE, ERROR_MEMORY, ERROR_FORMAT, ERROR_RANGE, ERROR_CLOSED };

static const char *message_of(enum error error) {
    switch (error) {
    case ERROR_NONE:
        return "no error";
    case ERROR_MEMORY:
        return "out of memory";
    case ERROR_FORMAT:
        return "bad format";
    case ERROR_RANGE:
        return "out of range";
    case ERROR_CLOSED:
        return "closed";
    default:
        return "unknown error";
    }
}

/* Writes as much of the message as there is room for, ended; returns its length. */
size_t append_error(enum error error, char *out, size_t room) {
    const char *message = message_of(error);
    size_t length = strlen(message);
    if (room > 0) {
        size_t count = length < room ? length : room - 1;
        memcpy(out, message, count);
        out[count] = '\0';
    }
    return length;
}
