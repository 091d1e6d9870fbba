int marks;

int measure(int x) {
    if (x > 5) {
        marks = 1;
    }
    return x == 4 || x == 3;
}
