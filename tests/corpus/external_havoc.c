// RUN: incise run %s --entry measure --externals havoc
// EXPECT: paths=3 errors=0 complete=false exit=3
// With --externals havoc the function returns any value.

extern int read_sensor(int channel);

int measure(int channel) {
    if (channel > 3) {
        return -1;
    }
    if (read_sensor(channel) == 1234) {
        return 1;
    }
    return 2;
}
