// RUN: incise run %s --entry next_light
// EXPECT: paths=6 errors=0 complete=true exit=0
// Enumerations with given values, negative ones, and a switch over them.

enum light { RED = -1, GREEN = 4, YELLOW, BLINKING = GREEN + 10 };

int next_light(enum light light, _Bool broken) {
    enum light next;
    if (broken) {
        return BLINKING;
    }
    switch (light) {
    case RED: next = GREEN; break;
    case GREEN: next = YELLOW; break;
    case YELLOW: next = RED; break;
    case BLINKING: next = BLINKING; break;
    default: return -100;
    }
    return (int)next * 2;
}
