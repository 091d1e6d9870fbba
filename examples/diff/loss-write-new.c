int c, d; void step(int a) {
    if (c == 2)
        d = c + a;
    c = c + d;
}

/* Figure 6 loses a path: after the true side of line 2 no affected statement is left unexplored, so that line 4 is never reached without line 3. */
