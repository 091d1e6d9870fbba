int dataTest(int x) { int tmp;
    x = x - 1;
    tmp = 0;
    if (x > 0)
        tmp = x + 1;
    else
        tmp = x - 1;
    return tmp;
}

/* A change of data flow: lines 4, 5, 7 and 8 use what line 2 computes; line 3 does not. */
