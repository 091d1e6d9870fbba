// RUN: incise run %s
// EXPECT: paths=22 errors=1 races=0 blocked=0 complete=true exit=1
// ERROR: assertion at 46
// RUN: incise run %s -DTAGGED
// EXPECT: paths=22 errors=0 races=0 blocked=0 complete=true exit=0
// Treiber's stack. Nodes are used again: one thread reads the top and what is below it, another takes both and puts the
// first one back, and the exchange of the first thread makes a node the top that somebody has (ABA). A number that is
// counted beside the top shows that it is not the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef TAGGED
#define NEXT_TAG(seen) (((seen) & ~7) + 8)
#else
#define NEXT_TAG(seen) 0
#endif

static atomic_int top;
static atomic_int next[3];
static atomic_int owned[3];

static int pop(void) {
    for (;;) {
        int seen = top;
        int node = seen & 7;
        if (node == 0)
            return 0;
        int below = next[node];
        if (atomic_compare_exchange_strong(&top, &seen, below | NEXT_TAG(seen)))
            return node;
    }
}

static void push(int node) {
    for (;;) {
        int seen = top;
        next[node] = seen & 7;
        if (atomic_compare_exchange_strong(&top, &seen, node | NEXT_TAG(seen)))
            return;
    }
}

static void own(int node) {
    if (node)
        assert(atomic_fetch_add(&owned[node], 1) == 0);
}

static void *once(void *unused) {
    own(pop());
    return unused;
}

static void *again(void *unused) {
    int first = pop();
    own(first);
    own(pop());
    if (first) {
        owned[first] = 0;
        push(first);
    }
    return unused;
}

int main(void) {
    pthread_t one, two;
    push(2);
    push(1);
    pthread_create(&one, 0, once, 0);
    pthread_create(&two, 0, again, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    own(pop());
    own(pop());
    return 0;
}
