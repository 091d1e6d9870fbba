// RUN: incise run %s --entry decode
// EXPECT: paths=3 errors=1 complete=true exit=1
// ERROR: abort at 9
// __builtin_trap ends the program like abort does.

int decode(unsigned char opcode) {
    switch (opcode & 3) {
    case 0: return 1;
    case 3: __builtin_trap(); // error: abort
    default: return opcode;
    }
}
