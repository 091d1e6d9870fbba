// entry: parse_color
// harmless: the two forms share a loop with a step
// harmful: in the long form the last digit of green is that of blue
// taken: text is a string; color is not null
#include "../natural.h"
#include VERSION

static void try_once(void) {
    static const char *const like[] = {"#a0b1c2", "#fff", "#12345f", "#0Af", "#00ff00"};
    char *text = n_percent(90) ? n_copy(like[n_below(5)], "09afAFg#", 0) : n_text("#0a");
    struct color color = {0, 0, 0};
    n_show_text("text", text);
    n_result(parse_color(text, &color));
    n_show_number("red", color.red);
    n_show_number("green", color.green);
    n_show_number("blue", color.blue);
}
