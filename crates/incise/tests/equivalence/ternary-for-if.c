// verdict: same
// entry: grade
// kind: refactoring
// loops: none
// domain: int
// Nested conditional expressions for conditions.
int old_grade(int points) {
    int grade = 5;
    if (points >= 50) {
        grade = 4;
    }
    if (points >= 65) {
        grade = 3;
    }
    if (points >= 80) {
        grade = 2;
    }
    if (points >= 90) {
        grade = 1;
    }
    return grade;
}

int new_grade(int points) {
    return points >= 90 ? 1 : points >= 80 ? 2 : points >= 65 ? 3 : points >= 50 ? 4 : 5;
}
