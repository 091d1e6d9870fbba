// RUN: incise run %s
// EXPECT: paths=10 errors=0 races=0 blocked=0 complete=true exit=0
// RUN: incise run %s -DREUSE
// EXPECT: paths=313 errors=14 races=0 blocked=0 complete=true exit=1
// ERROR: assertion at 69
// RUN: incise run %s -DREUSE -DTAGGED
// EXPECT: paths=301 errors=0 races=0 blocked=0 complete=true exit=0
// The queue of Michael and Scott: a node at the head that holds nothing, and a tail that may be one behind. Where nodes
// are used again at once, a thread that still has the old head takes from a queue that is another one (ABA); numbers
// beside head, tail and links show that. Nodes are indices; a word is an index and a number.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef TAGGED
#define TAG(seen) (((seen) & ~7) + 8)
#else
#define TAG(seen) 0
#endif
#define NODE(word) ((word) & 7)

static atomic_int head = 1, tail = 1;
static atomic_int next[5], value[5];
static atomic_int got[5];

static void enqueue(int node, int what) {
    value[node] = what;
    next[node] = TAG(next[node]);
    for (;;) {
        int last = tail;
        int after = next[NODE(last)];
        if (last != tail)
            continue;
        if (NODE(after) != 0) {
            atomic_compare_exchange_strong(&tail, &last, NODE(after) | TAG(last));
            continue;
        }
        if (atomic_compare_exchange_strong(&next[NODE(last)], &after, node | TAG(after))) {
            atomic_compare_exchange_strong(&tail, &last, node | TAG(last));
            return;
        }
    }
}

/* The node that is free now, or 0 if the queue was empty. */
static int dequeue(int *what) {
    for (;;) {
        int first = head;
        int last = tail;
        int after = next[NODE(first)];
        if (first != head)
            continue;
        if (NODE(after) == 0)
            return 0;
        if (NODE(first) == NODE(last)) {
            atomic_compare_exchange_strong(&tail, &last, NODE(after) | TAG(last));
            continue;
        }
        *what = value[NODE(after)];
        if (atomic_compare_exchange_strong(&head, &first, NODE(after) | TAG(first)))
            return NODE(first);
    }
}

static void take(int *node) {
    int what = 0;
    *node = dequeue(&what);
    if (*node)
        assert(atomic_fetch_add(&got[what], 1) == 0);
}

static void *once(void *unused) {
    int node;
    take(&node);
    return unused;
}

static void *again(void *unused) {
    int node;
    take(&node);
#ifdef REUSE
    int other;
    take(&other);
    if (node)
        enqueue(node, 3);
    take(&other);
#else
    enqueue(4, 3);
#endif
    return unused;
}

int main(void) {
    pthread_t one, two;
    int node;
    enqueue(2, 1);
    enqueue(3, 2);
    pthread_create(&one, 0, once, 0);
    pthread_create(&two, 0, again, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    take(&node);
    take(&node);
    return 0;
}
