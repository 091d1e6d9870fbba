struct date {
    int year, month, day;
};

static int number_at(const char *text, int count) {
    int value = 0;
    while (count-- > 0) {
        if (*text < '0' || *text > '9')
            return -1;
        value = value * 10 + (*text++ - '0');
    }
    return value;
}

static int days_in(int month, int year) {
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

/* Reads YYYY-MM-DD; 0 if it is a date. */
int parse_date(const char *text, struct date *date) {
    int year = number_at(text, 4);
    if (year < 0 || text[4] != '-')
        return -1;
    int month = number_at(text + 5, 2);
    if (month < 1 || month > 12 || text[7] != '-')
        return -1;
    int day = number_at(text + 8, 2);
    if (day < 1 || day > days_in(month, year) || text[10] != '\0')
        return -1;
    date->year = year;
    date->month = month;
    date->day = day;
    return 0;
}
