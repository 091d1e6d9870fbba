#include <stddef.h>
#include <string.h>

enum error { ERROR_NONE, ERROR_MEMORY, ERROR_FORMAT, ERROR_RANGE, ERROR_CLOSED };

static const char *message_of(enum error error) {
    static const char *const messages[] = {"no error", "out of memory", "bad format", "out of range", "closed"};
    if ((size_t)error >= sizeof messages / sizeof messages[0])
        return "unknown error";
    return messages[error];
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
