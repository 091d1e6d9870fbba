int y, z; void step(int x) {
    if (x > 0)
        y = 1;
    if (y == 1)
        z = 1;
    else
        z = 2;
}

/* Figure 6 loses a path: behind the true side of line 2 only line 5 is possible, and behind its false side only line 7 is still looked for. */
