// verdict: differs
// entry: color
// kind: bug
// loops: none
// domain: int
// A case was lost.
int old_color(int code) {
    switch (code) {
    case 'r': return 1;
    case 'g': return 2;
    case 'b': return 3;
    case 'k': return 4;
    default: return 0;
    }
}

int new_color(int code) {
    switch (code) {
    case 'r': return 1;
    case 'g': return 2;
    case 'b': return 3;
    default: return 0;
    }
}
