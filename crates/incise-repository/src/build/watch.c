/* Is loaded into every program that a build starts, and writes down how compilers were called. Nothing of what the
   program does is changed: this runs before its main, and only reads what the kernel tells of the process.

   A record is a file of fields: a letter, a length, a colon, and so many bytes. `d` is the folder, `a` a word of the
   command, and `r` what is in the response file that the word before it names, since builds remove these. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *whole_file(const char *name, size_t *length)
{
    int file = open(name, O_RDONLY | O_CLOEXEC);
    size_t room = 1 << 16, used = 0;
    char *text = file < 0 ? NULL : malloc(room);
    if (text == NULL) {
        if (file >= 0)
            close(file);
        return NULL;
    }
    for (;;) {
        ssize_t count = read(file, text + used, room - used);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        used += (size_t)count;
        if (used == room) {
            char *more = realloc(text, room * 2);
            if (more == NULL)
                break;
            text = more;
            room *= 2;
        }
    }
    close(file);
    *length = used;
    return text;
}

static void put_bytes(int file, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t count = write(file, bytes, length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return;
        bytes += count;
        length -= (size_t)count;
    }
}

static void put(int file, char kind, const char *bytes, size_t length)
{
    char head[40];
    int count = snprintf(head, sizeof head, "%c%zu:", kind, length);
    put_bytes(file, head, (size_t)count);
    put_bytes(file, bytes, length);
}

/* Whether a word may name something that is compiled. */
static int names_source(const char *word)
{
    static const char *const endings[] = {".c", ".i", ".cc", ".cpp", ".cxx", ".c++", ".C", ".s", ".S", ".m"};
    size_t length = strlen(word);
    if (word[0] == '@')
        return 1;
    for (size_t each = 0; each < sizeof endings / sizeof *endings; each++) {
        size_t ending = strlen(endings[each]);
        if (length > ending && strcmp(word + length - ending, endings[each]) == 0)
            return 1;
    }
    return 0;
}

__attribute__((constructor)) static void record(void)
{
    const char *folder = getenv("INCISE_BUILD_RECORD");
    int before = errno;
    size_t length = 0;
    char *words = folder == NULL ? NULL : whole_file("/proc/self/cmdline", &length);
    char here[1 << 14];
    if (words == NULL || length == 0 || words[length - 1] != '\0')
        goto done;
    int is_source = 0;
    for (size_t at = 0; at < length; at += strlen(words + at) + 1)
        is_source |= names_source(words + at);
    if (!is_source || getcwd(here, sizeof here) == NULL)
        goto done;
    int file = -1;
    for (int number = 0; file < 0 && number < 1000; number++) {
        char name[1 << 13];
        int count = snprintf(name, sizeof name, "%s/%ld.%d", folder, (long)getpid(), number);
        if (count < 0 || (size_t)count >= sizeof name)
            goto done;
        file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file < 0 && errno != EEXIST)
            goto done;
    }
    if (file < 0)
        goto done;
    put(file, 'd', here, strlen(here));
    for (size_t at = 0; at < length; at += strlen(words + at) + 1) {
        put(file, 'a', words + at, strlen(words + at));
        size_t inner = 0;
        char *text = words[at] == '@' ? whole_file(words + at + 1, &inner) : NULL;
        if (text != NULL)
            put(file, 'r', text, inner);
        free(text);
    }
    close(file);
done:
    free(words);
    errno = before;
}
