int a, c; void step(int d) {
    if (a > 2)
        c = 1;
    if ((d & 3) > 3)
        a = 1;
}

/* Figure 6 explores a sequence twice: line 5 cannot be reached, so that it stays unexplored and both sides of line 2 go on to look for it. */
