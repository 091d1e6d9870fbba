// RUN: incise run %s --entry score
// EXPECT: paths=7 errors=0 complete=true exit=0
// A switch with fall-through, shared labels, a default in the middle, and no default.

int score(int level) {
    int points = 0;
    switch (level) {
    case 3: points += 100; /* fall through */
    case 2: points += 10; /* fall through */
    case 1: points += 1; break;
    default: points = -1; break;
    case 7:
    case 8:
    case 9: points = 50;
    }
    switch (points) {
    case 1: return 1000;
    case 11: points++;
    }
    switch (level & 1) {
    case 1: points += 5;
    }
    return points;
}
