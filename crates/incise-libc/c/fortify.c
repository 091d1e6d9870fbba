/*
 * The names that -D_FORTIFY_SOURCE gives to library functions.
 *
 * glibc checks the size that the compiler knew and aborts. The memory model checks every access
 * against the real object, which is at least as strict, so these only forward.
 */
#include "incise.h"

char *strcpy(char *target, const char *source);
char *stpcpy(char *target, const char *source);
char *strncpy(char *target, const char *source, size_t count);
char *stpncpy(char *target, const char *source, size_t count);
char *strcat(char *target, const char *source);
char *strncat(char *target, const char *source, size_t count);
char *fgets(char *line, int size, FILE *stream);
size_t fread(void *block, size_t size, size_t count, FILE *stream);
ssize_t read(int descriptor, void *block, size_t count);
int vprintf(const char *format, va_list arguments);
int vfprintf(FILE *stream, const char *format, va_list arguments);
int vsprintf(char *buffer, const char *format, va_list arguments);
int vsnprintf(char *buffer, size_t size, const char *format, va_list arguments);

void *__memcpy_chk(void *target, const void *source, size_t count, size_t room) {
    (void)room;
    return memcpy(target, source, count);
}

void *__memmove_chk(void *target, const void *source, size_t count, size_t room) {
    (void)room;
    return memmove(target, source, count);
}

void *__memset_chk(void *target, int value, size_t count, size_t room) {
    (void)room;
    return memset(target, value, count);
}

void *__mempcpy_chk(void *target, const void *source, size_t count, size_t room) {
    (void)room;
    memcpy(target, source, count);
    return (char *)target + count;
}

char *__strcpy_chk(char *target, const char *source, size_t room) {
    (void)room;
    return strcpy(target, source);
}

char *__stpcpy_chk(char *target, const char *source, size_t room) {
    (void)room;
    return stpcpy(target, source);
}

char *__strncpy_chk(char *target, const char *source, size_t count, size_t room) {
    (void)room;
    return strncpy(target, source, count);
}

char *__stpncpy_chk(char *target, const char *source, size_t count, size_t room) {
    (void)room;
    return stpncpy(target, source, count);
}

char *__strcat_chk(char *target, const char *source, size_t room) {
    (void)room;
    return strcat(target, source);
}

char *__strncat_chk(char *target, const char *source, size_t count, size_t room) {
    (void)room;
    return strncat(target, source, count);
}

char *__fgets_chk(char *line, size_t room, int size, FILE *stream) {
    (void)room;
    return fgets(line, size, stream);
}

size_t __fread_chk(void *block, size_t room, size_t size, size_t count, FILE *stream) {
    (void)room;
    return fread(block, size, count, stream);
}

ssize_t __read_chk(int descriptor, void *block, size_t count, size_t room) {
    (void)room;
    return read(descriptor, block, count);
}

int __vprintf_chk(int flag, const char *format, va_list arguments) {
    (void)flag;
    return vprintf(format, arguments);
}

int __printf_chk(int flag, const char *format, ...) {
    (void)flag;
    va_list arguments;
    va_start(arguments, format);
    int length = vprintf(format, arguments);
    va_end(arguments);
    return length;
}

int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list arguments) {
    (void)flag;
    return vfprintf(stream, format, arguments);
}

int __fprintf_chk(FILE *stream, int flag, const char *format, ...) {
    (void)flag;
    va_list arguments;
    va_start(arguments, format);
    int length = vfprintf(stream, format, arguments);
    va_end(arguments);
    return length;
}

int __vsprintf_chk(char *buffer, int flag, size_t room, const char *format, va_list arguments) {
    (void)flag, (void)room;
    return vsprintf(buffer, format, arguments);
}

int __sprintf_chk(char *buffer, int flag, size_t room, const char *format, ...) {
    (void)flag, (void)room;
    va_list arguments;
    va_start(arguments, format);
    int length = vsprintf(buffer, format, arguments);
    va_end(arguments);
    return length;
}

int __vsnprintf_chk(char *buffer, size_t size, int flag, size_t room, const char *format, va_list arguments) {
    (void)flag, (void)room;
    return vsnprintf(buffer, size, format, arguments);
}

int __snprintf_chk(char *buffer, size_t size, int flag, size_t room, const char *format, ...) {
    (void)flag, (void)room;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(buffer, size, format, arguments);
    va_end(arguments);
    return length;
}
