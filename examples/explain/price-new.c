static int level(int points) {
    if (points > 100)
        return 2;
    if (points >= 50)
        return 1;
    return 0;
}

int price(int points, int member) {
    int price = 10;
    if (member)
        price = 8;
    switch (level(points)) {
    case 2:
        return price - 3;
    case 1:
        return price - 1;
    default:
        return price;
    }
}
