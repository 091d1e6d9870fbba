// entry: parse_date
// harmless: a table of the lengths of months became a switch
// harmful: years that 400 divides are no leap years
// taken: text is a string; date is not null
#include "../natural.h"
#include VERSION

static void try_once(void) {
    static const char *const like[] = {"2000-02-29", "2023-06-30", "1900-02-28", "2024-02-29", "1999-12-31", "2400-02-29"};
    char *text = n_percent(90) ? n_copy(like[n_below(6)], "01234-9", 0) : n_text("0123-");
    struct date date = {0, 0, 0};
    n_show_text("text", text);
    n_result(parse_date(text, &date));
    n_show_number("year", date.year);
    n_show_number("month", date.month);
    n_show_number("day", date.day);
}
