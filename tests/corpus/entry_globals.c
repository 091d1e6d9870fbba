// RUN: incise run %s --entry tick
// EXPECT: paths=6 errors=0 complete=true exit=0
// Globals that are not constant are inputs, arrays and structs of them too; what was written is an output.

int counter = 5;
static const int limit = 10;
struct {
    short mode;
    short skipped;
} state = {1, 0};
unsigned char slots[3];

int tick(int step) {
    if (state.mode == 2) {
        state.skipped++;
        return -1;
    }
    if (counter > limit) {
        counter = 0;
        slots[1] = 9;
        return 0;
    }
    if (slots[0] == slots[2]) {
        return step > 0 ? 1 : 2;
    }
    if (step < 0 || step > 100) {
        return 3;
    }
    slots[2] = slots[0];
    return slots[1] + step;
}
