static int lower(char c) {
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

/* Compares two texts, no matter whether letters are capital. */
int compare_words(const char *a, const char *b) {
    while (*a != '\0' && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return (lower(*a) > lower(*b)) - (lower(*a) < lower(*b));
}
