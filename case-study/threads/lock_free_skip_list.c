// A skip list of two levels without locks: a node goes into the lower level first, and then into the upper one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define LEVELS 2

struct node {
    int key, height;
    struct node *_Atomic next[LEVELS];
};

struct node last = {100, LEVELS, {0, 0}}, head = {0, LEVELS, {&last, &last}};
struct node pool[2];
int steps[2];
atomic_int size;

static struct node *find(int thread, int level, int key, struct node **before) {
    struct node *at = atomic_load(&(*before)->next[level]);
    while (at->key < key) {
        steps[thread]++;
        *before = at;
        at = atomic_load(&at->next[level]);
    }
    return at;
}

static void link_level(int thread, struct node *fresh, int level) {
    for (;;) {
        struct node *before = &head;
        struct node *after = find(thread, level, fresh->key, &before);
        atomic_store(&fresh->next[level], after);
        if (atomic_compare_exchange_strong(&before->next[level], &after, fresh))
            return;
    }
}

static void insert(int thread, struct node *fresh) {
    for (int level = 0; level < fresh->height; level++)
        link_level(thread, fresh, level);
    atomic_fetch_add(&size, 1);
}

void *first(void *unused) {
    insert(0, &pool[0]);
    return unused;
}

void *second(void *unused) {
    insert(1, &pool[1]);
    return unused;
}

int main(void) {
    pool[0].key = 10, pool[0].height = 2;
    pool[1].key = 20, pool[1].height = 2;
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    for (int level = 0; level < LEVELS; level++) {
        int key = 0;
        for (struct node *at = atomic_load(&head.next[level]); at; at = atomic_load(&at->next[level])) {
            assert(at->key > key);
            key = at->key;
        }
    }
    assert(atomic_load(&size) == 2);
    return 0;
}
