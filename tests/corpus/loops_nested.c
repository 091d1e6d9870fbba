// RUN: incise run %s --entry find_pair
// EXPECT: paths=8 errors=0 complete=true exit=0
// Nested loops left by break, continue, and a goto out of both.

int find_pair(int wanted) {
    static const int values[4] = {1, 3, 7, 12};
    int checked = 0;
    for (int i = 0; i < 4; i++) {
        if (values[i] == 3) {
            continue;
        }
        for (int j = i + 1; j < 4; j++) {
            if (values[j] == 3) {
                continue;
            }
            checked++;
            if (values[i] + values[j] == wanted) {
                goto found;
            }
            if (values[j] > 10) {
                break;
            }
        }
        if (checked > 10) {
            break;
        }
    }
    for (;;) {
        if (--wanted < 100) {
            return -1;
        }
        if (wanted > 102) {
            return -2;
        }
        checked++;
    }
found:
    return checked;
}
