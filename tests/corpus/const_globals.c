// RUN: incise run %s --entry season
// EXPECT: paths=3 errors=0 complete=true exit=0
// Constant globals are no inputs: strings, tables and scalars keep their initial value.

static const char *const names[4] = {"winter", "spring", "summer", "autumn"};
const int first_month = 3;
static const unsigned char seasons[12] = {0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0};

int season(unsigned month) {
    if (month >= 12) {
        return first_month;
    }
    const char *name = names[seasons[month] & 3];
    if (seasons[month] == first_month) {
        return 1;
    }
    return seasons[month] * 10 + (name != 0);
}
