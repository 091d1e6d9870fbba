// RUN: incise run %s --entry poll
// EXPECT: paths=4 errors=0 complete=true exit=0
// Volatile objects are read and written each time, as written in the source.

int poll(unsigned char status) {
    volatile unsigned char port = status;
    volatile int attempts = 0;
    while (attempts < 2) {
        attempts++;
        if (port & 0x80) {
            port = port & 0x7f;
            break;
        }
        port |= 0x40;
    }
    if (port == 0x41) {
        return 100 + attempts;
    }
    return attempts + (port & 0x80);
}
