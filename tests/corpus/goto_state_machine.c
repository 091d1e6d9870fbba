// RUN: incise run %s --entry accepts
// EXPECT: paths=8 errors=0 complete=true exit=0
// A state machine made of labels: accepts one or more 'a', then a 'b'.

int accepts(char first, char second, char third) {
    char text[4] = {first, second, third, 0};
    int at = 0;

start:
    if (text[at] == 'a') {
        at++;
        goto some;
    }
    goto reject;
some:
    if (text[at] == 'a') {
        at++;
        goto some;
    }
    if (text[at] != 'b') {
        goto reject;
    }
    at++;
    if (text[at] == 0) {
        return 1;
    }
    if (text[at] == 'a') {
        goto start;
    }
reject:
    return -at;
}
