// RUN: incise run %s --entry withdraw
// EXPECT: paths=5 errors=0 complete=true exit=0
// A pointer to a struct: its fields are symbolic, and what is written to them is checked at the end.

struct account {
    unsigned number;
    int balance;
    char frozen;
    int history[2];
};

int withdraw(struct account *account, int amount) {
    if (!account || account->frozen) {
        return -1;
    }
    if (amount < 0 || account->balance < amount) {
        return -2;
    }
    account->history[1] = account->history[0];
    account->history[0] = amount;
    account->balance -= amount;
    return 0;
}
