// entry: check_sentence
// harmless: the loop ends at one place, the digits come from a helper
// harmful: the low digit of the checksum is not compared
// taken: sentence is a string
#include "../natural.h"
#include VERSION

static void try_once(void) {
    size_t length = n_below(9);
    char *sentence = n_new(length + 5);
    uint8_t sum = 0;
    sentence[0] = '$';
    for (size_t i = 1; i <= length; i++)
        sum ^= (uint8_t)(sentence[i] = "GPA,1.9"[n_below(7)]);
    static const char digits[] = "0123456789ABCDEF";
    sentence[length + 1] = '*';
    sentence[length + 2] = digits[sum >> 4];
    sentence[length + 3] = digits[sum & 15];
    sentence[length + 4] = 0;
    if (n_percent(50))
        sentence[n_below((unsigned)length + 4)] = "$*0A,"[n_below(5)];
    n_show_text("sentence", sentence);
    n_result(check_sentence(sentence));
}
