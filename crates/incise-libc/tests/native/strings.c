/* string.h against the C library. */
#define _GNU_SOURCE
#include <unistd.h>
#include "check.h"

size_t model_strlen(const char *);
size_t model_strnlen(const char *, size_t);
char *model_strcpy(char *, const char *);
char *model_stpcpy(char *, const char *);
char *model_strncpy(char *, const char *, size_t);
char *model_stpncpy(char *, const char *, size_t);
char *model_strcat(char *, const char *);
char *model_strncat(char *, const char *, size_t);
size_t model_strlcpy(char *, const char *, size_t);
size_t model_strlcat(char *, const char *, size_t);
int model_strcmp(const char *, const char *);
int model_strncmp(const char *, const char *, size_t);
int model_strcoll(const char *, const char *);
int model_strcasecmp(const char *, const char *);
int model_strncasecmp(const char *, const char *, size_t);
size_t model_strxfrm(char *, const char *, size_t);
char *model_strdup(const char *);
char *model_strndup(const char *, size_t);
char *model_strchr(const char *, int);
char *model_strrchr(const char *, int);
char *model_strchrnul(const char *, int);
char *model_index(const char *, int);
char *model_rindex(const char *, int);
size_t model_strspn(const char *, const char *);
size_t model_strcspn(const char *, const char *);
char *model_strpbrk(const char *, const char *);
char *model_strstr(const char *, const char *);
char *model_strcasestr(const char *, const char *);
char *model_strtok(char *, const char *);
char *model_strtok_r(char *, const char *, char **);
char *model_strsep(char **, const char *);
int model_memcmp(const void *, const void *, size_t);
int model_bcmp(const void *, const void *, size_t);
void *model_memchr(const void *, int, size_t);
void *model_memrchr(const void *, int, size_t);
void *model_rawmemchr(const void *, int);
void *model_memmem(const void *, size_t, const void *, size_t);
void *model_mempcpy(void *, const void *, size_t);
void *model_memccpy(void *, const void *, int, size_t);
void model_bzero(void *, size_t);
void model_bcopy(const void *, void *, size_t);
void model_swab(const void *, void *, ssize_t);
char *model_strerror(int);
char *model___strcpy_chk(char *, const char *, size_t);
void *model___memcpy_chk(void *, const void *, size_t, size_t);

#define ROOM 64

/* Two areas that start equal, so that what a function must not touch is compared too. */
static char ours[ROOM], theirs[ROOM];

static void prepare(const char *text) {
    for (int at = 0; at < ROOM; at++) {
        ours[at] = theirs[at] = (char)next_random();
    }
    strcpy(ours, text);
    strcpy(theirs, text);
}

#define SAME_AREA(name) CHECK(!memcmp(ours, theirs, ROOM), name " of \"%s\" and \"%s\", %zu", a, b, n)

static void copies(const char *a, const char *b, size_t n) {
    prepare(a);
    CHECK(model_strcpy(ours, b) == ours, "strcpy returns its target");
    strcpy(theirs, b);
    SAME_AREA("strcpy");
    CHECK(model_stpcpy(ours, a) - ours == stpcpy(theirs, a) - theirs, "stpcpy");
    SAME_AREA("stpcpy");
    prepare(a);
    model_strncpy(ours, b, n);
    strncpy(theirs, b, n);
    SAME_AREA("strncpy");
    CHECK(model_stpncpy(ours, a, n) - ours == stpncpy(theirs, a, n) - theirs, "stpncpy %s %zu", a, n);
    SAME_AREA("stpncpy");
    prepare(a);
    CHECK(model_strcat(ours, b) == ours, "strcat returns its target");
    strcat(theirs, b);
    SAME_AREA("strcat");
    prepare(a);
    model_strncat(ours, b, n);
    strncat(theirs, b, n);
    SAME_AREA("strncat");
    prepare(a);
    CHECK(model_strxfrm(ours, b, n) == strxfrm(theirs, b, n), "strxfrm");
    SAME_AREA("strxfrm");
    prepare(a);
    void *our_end = model_memccpy(ours, b, 'a', strlen(b));
    void *their_end = memccpy(theirs, b, 'a', strlen(b));
    CHECK((our_end ? (char *)our_end - ours : -1) == (their_end ? (char *)their_end - theirs : -1), "memccpy");
    SAME_AREA("memccpy");
    prepare(a);
    model_swab(b, ours, (ssize_t)strlen(b));
    swab(b, theirs, (ssize_t)strlen(b));
    SAME_AREA("swab");
    char *copy = model_strndup(a, n);
    char *copy_of_theirs = strndup(a, n);
    CHECK(!strcmp(copy, copy_of_theirs), "strndup");
    free(copy);
    free(copy_of_theirs);
    copy = model_strdup(a);
    CHECK(!strcmp(copy, a), "strdup");
    free(copy);
    /* This glibc has neither strlcpy nor strlcat; snprintf says what they do. */
    prepare(a);
    CHECK(model_strlcpy(ours, b, n) == strlen(b), "strlcpy");
    if (n) {
        snprintf(theirs, n, "%s", b);
    }
    SAME_AREA("strlcpy");
    prepare(a);
    size_t expected = strnlen(a, n) + strlen(b);
    CHECK(model_strlcat(ours, b, n) == expected, "strlcat");
    if (n > strlen(a)) {
        snprintf(theirs + strlen(a), n - strlen(a), "%s", b);
    }
    SAME_AREA("strlcat");
    prepare(a);
    model_bcopy(ours, ours + 3, n);
    bcopy(theirs, theirs + 3, n);
    CHECK((char *)model_mempcpy(ours + 30, b, strlen(b)) == ours + 30 + strlen(b), "mempcpy");
    mempcpy(theirs + 30, b, strlen(b));
    model_bzero(ours + 20, n);
    bzero(theirs + 20, n);
    SAME_AREA("bcopy, mempcpy or bzero");
    model___strcpy_chk(ours, b, ROOM);
    strcpy(theirs, b);
    model___memcpy_chk(ours + 40, a, strlen(a), ROOM - 40);
    memcpy(theirs + 40, a, strlen(a));
    SAME_AREA("a fortified copy");
}

static int sign(int value) { return (value > 0) - (value < 0); }

static void comparisons_of(const char *a, const char *b, size_t n) {
    CHECK(model_strlen(a) == strlen(a), "strlen");
    CHECK(model_strnlen(a, n) == strnlen(a, n), "strnlen");
    CHECK(model_strcmp(a, b) == strcmp(a, b), "strcmp \"%s\" \"%s\"", a, b);
    CHECK(sign(model_strcoll(a, b)) == sign(strcoll(a, b)), "strcoll");
    CHECK(model_strncmp(a, b, n) == strncmp(a, b, n), "strncmp \"%s\" \"%s\" %zu", a, b, n);
    CHECK(model_strcasecmp(a, b) == strcasecmp(a, b), "strcasecmp \"%s\" \"%s\"", a, b);
    CHECK(model_strncasecmp(a, b, n) == strncasecmp(a, b, n), "strncasecmp");
    size_t both = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
    CHECK(model_memcmp(a, b, both) == memcmp(a, b, both), "memcmp \"%s\" \"%s\" %zu", a, b, both);
    CHECK(!model_bcmp(a, b, both) == !bcmp(a, b, both), "bcmp");
}

static void searches(const char *a, const char *b, int c) {
    CHECK(model_strchr(a, c) == strchr(a, c), "strchr \"%s\" %d", a, c);
    CHECK(model_index(a, c) == index(a, c), "index");
    CHECK(model_strrchr(a, c) == strrchr(a, c), "strrchr \"%s\" %d", a, c);
    CHECK(model_rindex(a, c) == rindex(a, c), "rindex");
    CHECK(model_strchrnul(a, c) == strchrnul(a, c), "strchrnul");
    CHECK(model_memchr(a, c, strlen(a)) == memchr(a, c, strlen(a)), "memchr");
    CHECK(model_memrchr(a, c, strlen(a)) == memrchr(a, c, strlen(a)), "memrchr");
    CHECK(model_rawmemchr(a, 0) == rawmemchr(a, 0), "rawmemchr");
    CHECK(model_strspn(a, b) == strspn(a, b), "strspn \"%s\" \"%s\"", a, b);
    CHECK(model_strcspn(a, b) == strcspn(a, b), "strcspn \"%s\" \"%s\"", a, b);
    CHECK(model_strpbrk(a, b) == strpbrk(a, b), "strpbrk");
    CHECK(model_strstr(a, b) == strstr(a, b), "strstr \"%s\" \"%s\"", a, b);
    CHECK(model_strcasestr(a, b) == strcasestr(a, b), "strcasestr \"%s\" \"%s\"", a, b);
    CHECK(model_memmem(a, strlen(a), b, strlen(b)) == memmem(a, strlen(a), b, strlen(b)), "memmem");
}

static void tokens(const char *a, const char *b) {
    size_t n = 0;
    char *our_rest = NULL, *their_rest = NULL;
    prepare(a);
    for (int round = 0; round < 12; round++) {
        char *our_token = model_strtok_r(round ? NULL : ours, b, &our_rest);
        char *their_token = strtok_r(round ? NULL : theirs, b, &their_rest);
        CHECK((our_token ? our_token - ours : -1) == (their_token ? their_token - theirs : -1), "strtok_r");
    }
    SAME_AREA("strtok_r");
    prepare(a);
    for (int round = 0; round < 12; round++) {
        char *our_token = model_strtok(round ? NULL : ours, b);
        char *their_token = strtok(round ? NULL : theirs, b);
        CHECK((our_token ? our_token - ours : -1) == (their_token ? their_token - theirs : -1), "strtok");
    }
    SAME_AREA("strtok");
    prepare(a);
    our_rest = ours;
    their_rest = theirs;
    for (int round = 0; round < 12; round++) {
        char *our_token = model_strsep(&our_rest, b);
        char *their_token = strsep(&their_rest, b);
        CHECK((our_token ? our_token - ours : -1) == (their_token ? their_token - theirs : -1), "strsep");
    }
    SAME_AREA("strsep");
}

void check_strings(void) {
    static const char *const alphabets[] = {"ab", "aAbB", "abc,; ", "a\xe4\xff\x80zZ@[`{", "aaaaaab"};
    for (int round = 0; round < 20000; round++) {
        char a[20], b[12];
        const char *alphabet = alphabets[below(5)];
        random_text(a, 16, alphabet);
        random_text(b, round % 2 ? 3 : 10, alphabet);
        size_t n = below(20);
        copies(a, b, n);
        comparisons_of(a, b, n);
        searches(a, b, round % 5 ? alphabet[below((unsigned)strlen(alphabet))] : (int)below(512) - 256);
        tokens(a, b);
    }
    for (int number = -3; number < 200; number++) {
        CHECK(!strcmp(model_strerror(number), strerror(number)), "strerror(%d)", number);
    }
    CHECK(!strcmp(model_strerror(INT32_MIN), strerror(INT32_MIN)), "strerror of the smallest int");
    CHECK(!strcmp(model_strerror(INT32_MAX), strerror(INT32_MAX)), "strerror of the largest int");
}
