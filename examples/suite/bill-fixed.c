/* How much each guest pays, in cents. Someone has to pay. */

int share(int cents, int guests, int invited) {
    if (cents < 0 || guests < 1 || invited < 0 || invited >= guests) {
        return -1;
    }
    int paying = guests - invited;
    return (cents + paying - 1) / paying;
}
