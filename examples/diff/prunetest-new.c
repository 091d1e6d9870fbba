int a, b; void pruneTest(int x, int y) {
    if (x > 0)
        a = x + 1;
    else
        a = x - 1;
    if (y > 0)
        b = y + 2;
    else
        b = y - 2;
}

/* Four paths, of which the change affects two: lines 2 to 5 have nothing to do with lines 6 to 9. */
