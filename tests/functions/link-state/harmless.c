enum state { CLOSED, OPENING, OPEN };
enum event { CONNECT, ANSWER, FAILURE, HANG_UP };

struct link {
    enum state state;
    unsigned failures;
};

/* Takes an event; returns whether the link is open then. */
int link_step(struct link *link, enum event event) {
    switch (event) {
    case CONNECT:
        if (link->state == CLOSED)
            link->state = OPENING;
        break;
    case ANSWER:
        if (link->state == CLOSED)
            return 0;
        link->failures = 0;
        link->state = OPEN;
        return 1;
    case FAILURE:
        if (link->state == CLOSED)
            return 0;
        link->state = ++link->failures < 3 ? OPENING : CLOSED;
        return 0;
    case HANG_UP:
        link->failures = 0;
        link->state = CLOSED;
        return 0;
    }
    return link->state == OPEN;
}
