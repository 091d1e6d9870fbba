// verdict: same
// entry: clamp
// kind: refactoring
// loops: none
// domain: float
// A number is kept between two bounds; not a number passes through both.
float old_clamp(float x) {
    if (x < -1.0f) {
        return -1.0f;
    }
    if (x > 1.0f) {
        return 1.0f;
    }
    return x;
}

float new_clamp(float x) {
    float result = x > 1.0f ? 1.0f : x;
    return result < -1.0f ? -1.0f : result;
}
