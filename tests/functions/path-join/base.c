#include <stddef.h>
#include <string.h>

/* Writes folder/name; returns its length, or -1 if there is no room. A name that begins with a slash stays alone. */
int join(char *out, size_t room, const char *folder, const char *name) {
    size_t used = name[0] == '/' ? 0 : strlen(folder);
    int slash = used > 0 && folder[used - 1] != '/';
    if (used + slash + strlen(name) + 1 > room)
        return -1;
    for (size_t i = 0; i < used; i++)
        out[i] = folder[i];
    if (slash)
        out[used++] = '/';
    for (size_t i = 0; name[i] != '\0'; i++)
        out[used++] = name[i];
    out[used] = '\0';
    return (int)used;
}
