// verdict: same
// entry: advise
// kind: refactoring
// loops: none
// domain: int
// A collision avoidance advisory: the conditions got functions of their own.
int own_altitude, other_altitude, separation_up, separation_down, confident, inhibit;

int old_advise(int layer) {
    int threshold = layer == 0 ? 400 : layer == 1 ? 500 : layer == 2 ? 640 : 740;
    int biased = inhibit ? separation_up + 100 : separation_up;
    int upward = 0, downward = 0;
    if (confident) {
        if (biased > separation_down) {
            upward = own_altitude < other_altitude && separation_down >= threshold;
        } else {
            upward = !(own_altitude < other_altitude) && separation_up >= threshold;
        }
        if (biased > separation_down) {
            downward = own_altitude > other_altitude && separation_down >= threshold;
        } else {
            downward = !(own_altitude > other_altitude) || separation_up >= threshold;
        }
    }
    if (upward && downward) {
        return 0;
    }
    if (upward) {
        return 1;
    }
    return downward ? 2 : 0;
}

static int limit(int layer) {
    switch (layer) {
    case 0: return 400;
    case 1: return 500;
    case 2: return 640;
    default: return 740;
    }
}

static int below(void) { return own_altitude < other_altitude; }
static int above(void) { return other_altitude < own_altitude; }

int new_advise(int layer) {
    int least = limit(layer);
    int climb = (inhibit ? separation_up + 100 : separation_up) > separation_down;
    if (!confident) {
        return 0;
    }
    int enough_down = least <= separation_down, enough_up = least <= separation_up;
    int upward = climb ? below() && enough_down : !below() && enough_up;
    int downward = climb ? above() && enough_down : !above() || enough_up;
    return upward == downward ? 0 : upward ? 1 : 2;
}
