int condTest(int x) {
    if (x > 0)
        return x + 1;
    else
        return x - 1;
}

/* A change of control flow: lines 3 and 5 depend on line 2. */
