static int lower(char c) {
    return c >= 'A' && c < 'Z' ? c + ('a' - 'A') : c;
}

/* Compares two texts, no matter whether letters are capital. */
int compare_words(const char *a, const char *b) {
    for (;; a++, b++) {
        int left = lower(*a), right = lower(*b);
        if (left != right)
            return left < right ? -1 : 1;
        if (left == '\0')
            return 0;
    }
}
