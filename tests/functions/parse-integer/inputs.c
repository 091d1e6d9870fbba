// entry: parse_integer
// harmless: the limit is compared before the product, by a number that was computed once
// harmful: the largest number is refused
// taken: text is a string; value is not null
#include "../natural.h"
#include VERSION

static void try_once(void) {
    static const char *const like[] = {"32767", "-32767", "32768", "00032767", "12", "+7", "-"};
    char *text = n_percent(80) ? n_copy(like[n_below(7)], "01237-", 0) : n_text("0123-+");
    short value = 0;
    n_show_text("text", text);
    n_result(parse_integer(text, &value));
    n_show_number("value", value);
}
