// RUN: incise run %s --entry message_sum
// EXPECT: paths=5 errors=0 complete=true exit=0
// A struct that ends in a flexible array member, with the room that malloc gave it.
#include <stdlib.h>

struct message {
    unsigned short length;
    unsigned char payload[];
};

static struct message *make(unsigned short length) {
    struct message *message = malloc(sizeof *message + length);
    if (!message) {
        return 0;
    }
    message->length = length;
    for (unsigned short i = 0; i < length; i++) {
        message->payload[i] = (unsigned char)(i * 3 + 1);
    }
    return message;
}

int message_sum(unsigned char length) {
    unsigned short rounded = 0;
    if (length > 3) {
        return (int)sizeof(struct message);
    }
    while (rounded < length) {
        rounded++;
    }
    struct message *message = make(rounded);
    int sum = 0;
    for (int i = 0; i < message->length; i++) {
        sum += message->payload[i];
    }
    free(message);
    return sum * 10 + rounded;
}
