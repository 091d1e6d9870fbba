/*
 * stdlib.h: the environment.
 *
 * The engine puts the strings of --sym-env into a table before the program starts, and its address into `environ`. A
 * variable may be unset: then the address that stands for it is a choice, and looking at it forks. A variable that is looked for in
 * vain is told to the engine.
 */
#include "incise.h"

char **environ;

/* Whether `environ` is a table that was allocated here. */
static char **__incise_own_environment;

/* The value in a string "NAME=value" if it has that name; the length of a name is concrete. */
static char *__incise_value_of(char *entry, const char *name, size_t length) {
    for (size_t at = 0; at < length; at++) {
        if (entry[at] != name[at]) {
            return NULL;
        }
    }
    return entry[length] == '=' ? entry + length + 1 : NULL;
}

static size_t __incise_name_length(const char *name) {
    size_t length = 0;
    while (name[length] && name[length] != '=') {
        length++;
    }
    return length;
}

/* The place of a variable in the table, or where the table ends; -1 if there is no table. */
static long __incise_environment_place(const char *name, size_t length, bool *found) {
    *found = false;
    if (!environ) {
        return -1;
    }
    long at = 0;
    for (; environ[at]; at++) {
        if (__incise_value_of(environ[at], name, length)) {
            *found = true;
            return at;
        }
    }
    return at;
}

static char *__incise_get_variable(const char *name) {
    size_t length = 0;
    while (name[length]) {
        length++;
    }
    bool found;
    long place = __incise_environment_place(name, length, &found);
    return found ? environ[place] + length + 1 : NULL;
}

/* What the program itself asks for; the library has defaults where a variable is not set. */
static char *__incise_ask_variable(const char *name) {
    char *value = __incise_get_variable(name);
    if (!value) {
        __incise_no_variable(name);
    }
    return value;
}

char *getenv(const char *name) { return __incise_ask_variable(name); }

char *secure_getenv(const char *name) { return __incise_ask_variable(name); }

/* Makes a string "NAME=value" part of the environment. */
static int __incise_put_variable(char *entry, const char *name, size_t length) {
    bool found;
    long place = __incise_environment_place(name, length, &found);
    if (found) {
        environ[place] = entry;
        return 0;
    }
    size_t count = place < 0 ? 0 : (size_t)place;
    char **table = malloc((count + 2) * sizeof *table);
    if (!table) {
        __incise_errno = ENOMEM_NUMBER;
        return -1;
    }
    for (size_t at = 0; at < count; at++) {
        table[at] = environ[at];
    }
    table[count] = entry;
    table[count + 1] = NULL;
    /* Nobody else may have kept the address of a table that was made here. */
    if (__incise_own_environment && __incise_own_environment == environ) {
        free(__incise_own_environment);
    }
    __incise_own_environment = environ = table;
    return 0;
}

int setenv(const char *name, const char *value, int overwrite) {
    if (!name || !*name || name[__incise_name_length(name)] == '=') {
        __incise_errno = EINVAL_NUMBER;
        return -1;
    }
    size_t length = __incise_name_length(name);
    bool found;
    __incise_environment_place(name, length, &found);
    if (found && !overwrite) {
        return 0;
    }
    size_t size = 0;
    while (value[size]) {
        size++;
    }
    char *entry = malloc(length + size + 2);
    if (!entry) {
        __incise_errno = ENOMEM_NUMBER;
        return -1;
    }
    memcpy(entry, name, length);
    entry[length] = '=';
    memcpy(entry + length + 1, value, size + 1);
    return __incise_put_variable(entry, name, length);
}

static int __incise_unset_variable(const char *name) {
    if (!name || !*name || name[__incise_name_length(name)] == '=') {
        __incise_errno = EINVAL_NUMBER;
        return -1;
    }
    bool found;
    long place = __incise_environment_place(name, __incise_name_length(name), &found);
    if (found) {
        do {
            environ[place] = environ[place + 1];
        } while (environ[place++]);
    }
    return 0;
}

int unsetenv(const char *name) { return __incise_unset_variable(name); }

int putenv(char *entry) {
    size_t length = __incise_name_length(entry);
    if (!entry[length]) {
        return __incise_unset_variable(entry);
    }
    return __incise_put_variable(entry, entry, length);
}

int clearenv(void) {
    environ = NULL;
    return 0;
}
