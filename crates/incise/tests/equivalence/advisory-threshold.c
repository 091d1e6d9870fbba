// verdict: differs
// entry: advise
// kind: bug
// loops: none
// domain: int
// A collision avoidance advisory: one threshold compares otherwise.
int own_altitude, other_altitude, separation_up, separation_down, inhibit;

static int alim(int layer) {
    return layer == 0 ? 400 : layer == 1 ? 500 : layer == 2 ? 640 : 740;
}

int old_advise(int layer) {
    int biased = inhibit ? separation_up + 100 : separation_up;
    if (biased > separation_down) {
        return own_altitude < other_altitude && separation_down >= alim(layer);
    }
    return !(own_altitude < other_altitude) && separation_up >= alim(layer);
}

int new_advise(int layer) {
    int biased = inhibit ? separation_up + 100 : separation_up;
    if (biased > separation_down) {
        return own_altitude < other_altitude && separation_down > alim(layer);
    }
    return !(own_altitude < other_altitude) && separation_up >= alim(layer);
}
