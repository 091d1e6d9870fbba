// RUN: incise run %s
// EXPECT: paths=2 errors=0 races=0 blocked=0 complete=true exit=0
// Functions of the C library on memory that threads share: natively each call is one step.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char text[4] = "ab";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    strcpy(text, "xyz");
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    char copy[4];
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&lock);
    size_t length = strlen(text);
    memcpy(copy, text, sizeof copy);
    pthread_mutex_unlock(&lock);
    fprintf(stderr, "%zu %s\n", length, copy);
    pthread_join(thread, 0);
    printf("%s\n", text);
    return 0;
}
