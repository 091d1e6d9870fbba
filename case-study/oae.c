/*
 * On-board abort executive of a crew vehicle, for the ascent.
 *
 * Once a cycle the readings of the sensors are checked against the flight rules. When a rule is broken, the executive evaluates which abort modes are feasible in the
 * present phase of the flight, selects the one with the highest priority, and relays it to the rest of the system.
 */

enum phase { PHASE_PAD, PHASE_FIRST_STAGE, PHASE_SECOND_STAGE, PHASE_ORBIT };
enum mode { ABORT_NONE, ABORT_ESCAPE_TOWER, ABORT_RETURN, ABORT_DOWNRANGE, ABORT_TO_ORBIT };

enum rule {
    RULE_THRUST = 1,
    RULE_CHAMBER = 2,
    RULE_RATE = 4,
    RULE_CABIN = 8,
    RULE_SEPARATION = 16,
    DEMAND_OF_CREW = 32
};

/* What the sensors and the other components say. */
struct readings {
    int time;               /* seconds after ignition */
    int altitude;           /* kilometres */
    int velocity;           /* metres a second */
    int thrust;             /* percent of the nominal */
    int chamber_pressure;   /* bar */
    int pitch_rate;         /* degrees a second */
    int cabin_pressure;     /* hectopascal */
    int cabin_oxygen;       /* percent */
    int separation_signal;  /* the stages are apart */
    int propellant;         /* percent of the second stage's */
    int link_margin;        /* decibel, of the link to the ground */
    int recorder_free;      /* percent of the flight recorder */
    int crew_handle;        /* the crew demands an abort */
};

struct readings Readings;

/* State that is kept from one cycle to the next. */
int RateCycles;
int AbortInProgress;

/* Outputs. */
int BrokenRules;
int AbortMode;
int AbortReason;
int TelemetryRate;
int RecorderRate;
int Advisory;

void evaluate(void) {
    int broken = 0;
    int phase;
    int tower = 0;
    int return_feasible = 0;
    int downrange = 0;
    int to_orbit = 0;

    /* Flight rule: the engine pushes. */
    if (Readings.thrust < 70) {
        broken = broken | RULE_THRUST;
    }

    /* Flight rule: the pressure in the chamber, which goes up before an engine bursts. */
    if (Readings.chamber_pressure < 20) {
        broken = broken | RULE_CHAMBER;
    } else if (Readings.chamber_pressure > 130) {
        broken = broken | RULE_CHAMBER;
    }

    /* Flight rule: the vehicle does not tumble. One bad reading may be noise. */
    if (Readings.pitch_rate > 12) {
        RateCycles = RateCycles + 1;
        if (RateCycles > 3) {
            broken = broken | RULE_RATE;
        }
    } else if (Readings.pitch_rate < -12) {
        RateCycles = RateCycles + 1;
        if (RateCycles > 3) {
            broken = broken | RULE_RATE;
        }
    } else {
        RateCycles = 0;
    }

    /* Flight rule: the crew can breathe. */
    if (Readings.cabin_pressure < 550) {
        broken = broken | RULE_CABIN;
    }

    /* The phase of the flight. */
    if (Readings.time <= 0) {
        phase = PHASE_PAD;
    } else if (Readings.time < 130) {
        phase = PHASE_FIRST_STAGE;
    } else if (Readings.velocity < 7600) {
        phase = PHASE_SECOND_STAGE;
    } else {
        phase = PHASE_ORBIT;
    }

    /* Flight rule: the first stage is gone when the second burns. */
    if (phase == PHASE_SECOND_STAGE) {
        if (!Readings.separation_signal) {
            broken = broken | RULE_SEPARATION;
        }
    }

    /* The abort modes that are feasible now. */
    if (phase == PHASE_PAD) {
        tower = 1;
    } else if (phase == PHASE_FIRST_STAGE) {
        if (Readings.altitude < 90) {
            tower = 1;
        } else {
            return_feasible = 1;
        }
    } else if (phase == PHASE_SECOND_STAGE) {
        if (Readings.velocity < 3000) {
            return_feasible = 1;
        } else if (Readings.velocity < 6500) {
            downrange = 1;
        }
        if (Readings.propellant > 40) {
            to_orbit = 1;
        }
    }

    /* The crew need not give a reason. */
    AbortReason = broken;
    if (Readings.crew_handle) {
        AbortReason = AbortReason | DEMAND_OF_CREW;
    }

    /* The selection. An abort that has begun is never taken back or changed. */
    if (!AbortInProgress) {
        AbortMode = ABORT_NONE;
        if (AbortReason != 0) {
            if (tower) {
                AbortMode = ABORT_ESCAPE_TOWER;
            } else if (to_orbit) {
                AbortMode = ABORT_TO_ORBIT;
            } else if (downrange) {
                AbortMode = ABORT_DOWNRANGE;
            } else if (return_feasible) {
                AbortMode = ABORT_RETURN;
            }
        }
        if (AbortMode != ABORT_NONE) {
            AbortInProgress = 1;
        }
    }

    BrokenRules = broken;

    /* What the crew should know, though no rule is broken. */
    Advisory = 0;
    if (Readings.cabin_oxygen < 18) {
        Advisory = Advisory + 1;
    }

    /* The ground hears as much as the link carries, and the recorder keeps as much as fits. */
    if (Readings.link_margin < 3) {
        TelemetryRate = 1;
        Advisory = Advisory + 2;
    } else if (Readings.link_margin < 10) {
        TelemetryRate = 10;
    } else {
        TelemetryRate = 100;
    }
    if (Readings.recorder_free > 5) {
        RecorderRate = 100;
    } else {
        RecorderRate = 10;
    }
}
