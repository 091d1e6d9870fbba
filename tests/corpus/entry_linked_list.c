// RUN: incise run %s --entry second_value --pointer-depth 3
// EXPECT: paths=5 errors=0 complete=true exit=0
// A struct that points to itself: the list that comes in is as long as the path asks for.

struct node {
    int value;
    struct node *next;
};

int second_value(struct node *list) {
    if (list == 0) {
        return -1;
    }
    if (list->next == 0) {
        return -2;
    }
    if (list->value > list->next->value) {
        int kept = list->value;
        list->value = list->next->value;
        list->next->value = kept;
        return 1;
    }
    return list->next->value == 7 ? 2 : list->value + 3;
}
