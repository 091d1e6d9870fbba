// verdict: same-within-bounds
// entry: mean
// kind: refactoring
// loops: lockstep
// domain: float
// The same sum of floats behind another control flow.
float old_mean(const float *values, int count) {
    float sum = 0;
    int used = 0;
    for (int i = 0; i < count; i++) {
        if (values[i] > 0) {
            sum += values[i];
            used++;
        }
    }
    return used > 0 ? sum / used : 0;
}

float new_mean(const float *values, int count) {
    float sum = 0;
    int used = 0;
    for (int i = 0; i < count; i++) {
        if (!(values[i] > 0)) {
            continue;
        }
        sum += values[i];
        used += 1;
    }
    if (used == 0) {
        return 0;
    }
    return sum / used;
}
