/* The index in the middle, for a binary search. */
int middle(int low, int high) {
    if (low < 0 || high < low)
        return -1;
    return (low + high) / 2;
}
