enum state { CLOSED, OPENING, OPEN };
enum event { CONNECT, ANSWER, FAILURE, HANG_UP };

struct link {
    enum state state;
    unsigned failures;
};

/* Takes an event; returns whether the link is open then. */
int link_step(struct link *link, enum event event) {
    if (event == HANG_UP) {
        link->state = CLOSED;
        link->failures = 0;
    } else if (link->state == CLOSED) {
        if (event == CONNECT)
            link->state = OPENING;
    } else if (event == ANSWER) {
        link->state = OPEN;
        link->failures = 0;
    } else if (event == FAILURE) {
        link->failures++;
        if (link->failures > 3)
            link->state = CLOSED;
        else
            link->state = OPENING;
    }
    return link->state == OPEN;
}
