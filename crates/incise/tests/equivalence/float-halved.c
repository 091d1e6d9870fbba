// verdict: same
// entry: half
// kind: refactoring
// loops: none
// domain: float
// Dividing by two is exact, and so is multiplying by its inverse.
float old_half(float x) {
    return x / 2.0f;
}

float new_half(float x) {
    return x * 0.5f;
}
