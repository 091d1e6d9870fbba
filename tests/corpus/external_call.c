// RUN: incise run %s --entry measure
// EXPECT: paths=2 errors=0 complete=false exit=3
// A function with neither body nor model ends its path, and only that one.

extern int read_sensor(int channel);

int measure(int channel) {
    if (channel > 3) {
        return -1;
    }
    return read_sensor(channel) * 2;
}
