// entry: link_step
// harmless: nested conditions became a switch with early returns
// harmful: a third failure no longer closes the link
// taken: link is not null; link->state is an enumerator; event is an enumerator
#include "../natural.h"
#include VERSION

static void try_once(void) {
    struct link link = {(enum state)n_below(3), n_below(5)};
    enum event event = (enum event)n_below(4);
    n_show_number("state", link.state);
    n_show_number("failures", link.failures);
    n_show_number("event", event);
    n_result(link_step(&link, event));
    n_show_number("state", link.state);
    n_show_number("failures", link.failures);
}
