#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned stock;

/* Takes some pieces from the stock, if there are enough. */
static void *sell(void *pieces) {
    unsigned wanted = *(unsigned *)pieces;
    if (wanted > 0) {
        pthread_mutex_lock(&lock);
        if (wanted <= stock)
            stock = stock - wanted;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

/* Two shops sell at the same time: what is left of the stock? */
unsigned sell_twice(unsigned first, unsigned second) {
    pthread_t one, two;
    stock = 10;
    pthread_create(&one, 0, sell, &first);
    pthread_create(&two, 0, sell, &second);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return stock;
}
