// RUN: incise run %s --entry relink
// EXPECT: paths=4 errors=0 complete=true exit=0
// Pointers to pointers, and to arrays, and swapping what they point to.

static void swap(int **a, int **b) {
    int *kept = *a;
    *a = *b;
    *b = kept;
}

int relink(int first, int second) {
    int values[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int *a = values[0], *b = values[1];
    int(*row)[3] = &values[0];
    if (first > second) {
        swap(&a, &b);
        row++;
    }
    int **chosen = &a;
    int ***deep = &chosen;
    if (second == 7) {
        chosen = &b;
    }
    return (**deep)[1] * 10 + (*row)[2];
}
