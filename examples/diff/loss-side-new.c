int b; void step(int a) {
    if (a == 1)
        b = 2;
}

/* The smallest program of which Figure 6 loses a path: the false side of the changed condition has no statement left to reach. */
