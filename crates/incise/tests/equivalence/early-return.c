// verdict: same
// entry: fee
// kind: refactoring
// loops: none
// domain: int
// Early returns for nested conditions.
int old_fee(int age, int student, int amount) {
    int fee;
    if (amount > 0) {
        if (age < 18) {
            fee = 0;
        } else {
            if (student) {
                fee = amount / 2;
            } else {
                if (age >= 65) {
                    fee = amount / 2;
                } else {
                    fee = amount;
                }
            }
        }
    } else {
        fee = -1;
    }
    return fee;
}

int new_fee(int age, int student, int amount) {
    if (amount <= 0) {
        return -1;
    }
    if (age < 18) {
        return 0;
    }
    if (student || age >= 65) {
        return amount / 2;
    }
    return amount;
}
