unsigned spin(unsigned char limit, unsigned x) {
    unsigned rounds = 0;
    for (unsigned char i = 0; i <= limit; i++) {
        rounds += x;
    }
    return rounds;
}
