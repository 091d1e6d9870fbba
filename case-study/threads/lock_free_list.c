// A sorted list without locks: inserting exchanges a pointer, and tries again if somebody was faster.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    int key;
    struct node *_Atomic next;
};

struct node last = {100, 0}, head = {0, &last};
struct node pool[4];
int retries[2], inserted[2];
atomic_int operations;

static int insert(int thread, struct node *fresh) {
    for (;;) {
        struct node *before = &head;
        struct node *after = atomic_load(&before->next);
        while (after->key < fresh->key) {
            before = after;
            after = atomic_load(&before->next);
        }
        if (after->key == fresh->key)
            return 0;
        atomic_store_explicit(&fresh->next, after, memory_order_seq_cst);
        if (atomic_compare_exchange_strong(&before->next, &after, fresh))
            return 1;
        retries[thread]++;
    }
}

void *first(void *unused) {
    inserted[0] += insert(0, &pool[0]);
    atomic_fetch_add(&operations, 1);
    inserted[0] += insert(0, &pool[1]);
    atomic_fetch_add(&operations, 1);
    return unused;
}

void *second(void *unused) {
    inserted[1] += insert(1, &pool[2]);
    atomic_fetch_add(&operations, 1);
    inserted[1] += insert(1, &pool[3]);
    atomic_fetch_add(&operations, 1);
    return unused;
}

int main(void) {
    pool[0].key = 10;
    pool[1].key = 30;
    pool[2].key = 20;
    pool[3].key = 40;
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    int key = 0;
    for (struct node *at = atomic_load(&head.next); at; at = atomic_load(&at->next)) {
        assert(at->key > key);
        key = at->key;
    }
    assert(inserted[0] + inserted[1] == 4);
    return 0;
}
