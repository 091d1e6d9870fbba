/* The judge's own part: makes natural inputs, runs both versions of a function on them, and compares. Objects end where memory ends, so that what goes beyond them fails. */
enum carrier { LENGTH, TEXT, RANGE, BLOCK, TAIL, COPY, LIST, TREE };
enum { SIZES = 13, NODES = 16, LARGEST = 4096 };

struct input {
    /* How many elements there are, how many more the object has, how many the other object has room for. For a tree, which nodes there are: node n has the children 2n and 2n + 1. */
    unsigned count, extra, room, nodes;
    unsigned values[256];
};

static struct run {
    int failed;
    unsigned result;
    unsigned size[2];
    unsigned char after[2][LARGEST];
} runs[2];

static unsigned char *ends[2];
static sigjmp_buf out;

static void stop(int number) {
    (void)number;
    siglongjmp(out, 1);
}

static void *place(int area, unsigned bytes) {
    runs[0].size[area] = bytes;
    return ends[area] - bytes;
}

static void put(unsigned char *at, unsigned size, unsigned value) {
    unsigned char byte = (unsigned char)value;
    unsigned short half = (unsigned short)value;
    memcpy(at, size == 1 ? (void *)&byte : size == 2 ? (void *)&half : (void *)&value, size);
}

static unsigned char *elements(int area, const struct input *input, unsigned size) {
    unsigned char *made = place(area, (input->count + input->extra) * size);
    for (unsigned i = 0; i < input->count + input->extra; i++)
        put(made + i * size, size, input->values[i]);
    return made;
}

static unsigned call(const struct pair *pair, void *function, const struct input *input) {
    unsigned size = pair->element, count = input->count;
    unsigned char *made;
    switch (pair->carrier) {
    case LENGTH:
        return ((unsigned (*)(void *, unsigned))function)(elements(0, input, size), count);
    case RANGE:
        made = elements(0, input, size);
        return ((unsigned (*)(void *, void *))function)(made, made + count * size);
    case TEXT:
        made = place(0, count + 1);
        for (unsigned i = 0; i < count; i++)
            made[i] = (unsigned char)input->values[i];
        made[count] = 0;
        return ((unsigned (*)(void *))function)(made);
    case BLOCK: {
        struct block0 *block = place(1, sizeof *block);
        memset(block, 0, sizeof *block);
        block->data = (void *)elements(0, input, size);
        block->length = count;
        return ((unsigned (*)(void *))function)(block);
    }
    case TAIL:
        made = place(0, 4 + (count + input->extra) * size);
        made -= (unsigned long)made % 4;
        runs[0].size[0] = (unsigned)(ends[0] - made);
        memcpy(made, &count, 4);
        for (unsigned i = 0; i < count + input->extra; i++)
            put(made + 4 + i * size, size, input->values[i]);
        return ((unsigned (*)(void *))function)(made);
    case COPY: {
        void *to = place(1, input->room * size);
        memset(to, 0, input->room * size);
        made = elements(0, input, size);
        return ((unsigned (*)(void *, unsigned, void *, unsigned))function)(made, count, to, input->room);
    }
    case LIST: {
        struct node *nodes = place(0, count * sizeof *nodes);
        for (unsigned i = 0; i < count; i++) {
            nodes[i].value = input->values[i];
            nodes[i].next = i + 1 < count ? &nodes[i + 1] : NULL;
        }
        return ((unsigned (*)(void *))function)(count ? nodes : NULL);
    }
    default: {
        struct tree *trees = place(0, NODES * sizeof *trees);
        for (unsigned i = 1; i < NODES; i++) {
            trees[i].value = input->values[i];
            trees[i].left = 2 * i < NODES && input->nodes >> 2 * i & 1 ? &trees[2 * i] : NULL;
            trees[i].right = 2 * i + 1 < NODES && input->nodes >> (2 * i + 1) & 1 ? &trees[2 * i + 1] : NULL;
        }
        return ((unsigned (*)(void *))function)(input->nodes ? &trees[1] : NULL);
    }
    }
}

static void go(const struct pair *pair, void *function, const struct input *input) {
    runs[0].failed = 1;
    runs[0].size[0] = runs[0].size[1] = 0;
    if (sigsetjmp(out, 0) == 0) {
        runs[0].result = call(pair, function, input);
        runs[0].failed = 0;
        for (int area = 0; area < 2; area++)
            memcpy(runs[0].after[area], ends[area] - runs[0].size[area], runs[0].size[area]);
    }
}

/* 's' if the versions do the same, 'd' if not, 'i' if the old one fails by itself. */
static char compare(const struct pair *pair, const struct input *input) {
    go(pair, pair->old, input);
    if (runs[0].failed)
        return 'i';
    runs[1] = runs[0];
    go(pair, pair->new, input);
    if (runs[0].failed || runs[0].result != runs[1].result)
        return 'd';
    for (int area = 0; area < 2; area++)
        if (memcmp(runs[0].after[area], runs[1].after[area], runs[0].size[area]) != 0)
            return 'd';
    return 's';
}

static unsigned long seed;

static unsigned below(unsigned bound) {
    unsigned long word = seed += 0x9e3779b97f4a7c15;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return (unsigned)((word ^ (word >> 31)) % bound);
}

static unsigned value(const struct pair *pair) {
    unsigned chosen = below(10) < 8 ? pair->pool[below(pair->pooled)] + (below(6) == 0) : below(256);
    if (pair->carrier == TEXT)
        return chosen % 256 ? chosen % 256 : 'a';
    return pair->element == 1 ? chosen % 256 : chosen;
}

static void random_input(const struct pair *pair, unsigned size, struct input *input) {
    memset(input, 0, sizeof *input);
    input->count = size;
    input->room = below(4) ? size : below(SIZES);
    for (unsigned i = 0; i < NODES; i++)
        input->values[i] = value(pair);
    if (pair->carrier == TREE && size > 0) {
        input->nodes = 2;
        for (unsigned i = 2; i < NODES; i++)
            if (input->nodes >> i / 2 & 1 && below(100) < 25 + 5 * size)
                input->nodes |= 1u << i;
    }
}

/* For each pair a line: how often the old version fails, and the sizes that differ: elements, behind a comma the room; of a tree its nodes. */
static void judge_all(void) {
    for (unsigned number = 0; number < sizeof pairs / sizeof *pairs; number++) {
        const struct pair *pair = &pairs[number];
        unsigned failures = 0, shown = 0;
        struct input input;
        seed = number;
        static unsigned char seen[1 << NODES];
        memset(seen, 0, sizeof seen);
        for (unsigned size = 0; size < SIZES; size++)
            for (unsigned turn = 0; turn < 200; turn++) {
                random_input(pair, size, &input);
                char found = compare(pair, &input);
                failures += found == 'i';
                unsigned shape = pair->carrier == TREE ? input.nodes : input.count << 4 | (pair->carrier == COPY ? input.room : 0);
                if (found != 'd' || seen[shape] || shown > 200)
                    continue;
                seen[shape] = 1;
                shown++;
                if (pair->carrier == TREE)
                    printf("%u ", input.nodes);
                else
                    printf("%u,%u ", input.count, pair->carrier == COPY ? input.room : 0);
            }
        printf("; %u\n", failures);
    }
}

/* Reads inputs, a line each: the number of the pair, count, extra, room, nodes, the number of values, the values. */
static void judge_given(void) {
    unsigned number, values;
    struct input input;
    for (;;) {
        memset(&input, 0, sizeof input);
        if (scanf("%u %u %u %u %u %u", &number, &input.count, &input.extra, &input.room, &input.nodes, &values) != 6)
            return;
        for (unsigned i = 0; i < values; i++)
            if (scanf("%u", &input.values[i]) != 1)
                return;
        printf("%c\n", compare(&pairs[number], &input));
    }
}

int main(int argc, char **argv) {
    (void)argv;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = stop;
    action.sa_flags = SA_NODEFER;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    for (int area = 0; area < 2; area++) {
        unsigned char *pages = mmap(NULL, 2 * LARGEST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        ends[area] = pages + LARGEST;
        mprotect(ends[area], LARGEST, PROT_NONE);
    }
    if (argc > 1)
        judge_given();
    else
        judge_all();
    return 0;
}
