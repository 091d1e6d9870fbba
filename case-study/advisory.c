/*
 * Advisory computer of an airborne collision avoidance system, for one intruder.
 *
 * The transponder tells where the intruder is. When it will come too near within the time that the sensitivity level looks ahead, the pilots are
 * told to climb or to descend, by voice and on the display. Close to the ground and at the ceiling some advice is never given; an intruder with a
 * system of its own says which way it goes, and we go the other way.
 *
 * advise() is called once in each cycle of one second. Altitudes are in feet, rates in feet per second.
 */

enum selector { SELECTOR_STANDBY, SELECTOR_TRAFFIC, SELECTOR_RESOLUTION };
enum level { LEVEL_OFF, LEVEL_TRAFFIC, LEVEL_LOW, LEVEL_HIGH };
enum sense { SENSE_NONE, SENSE_CLIMB, SENSE_DESCEND };
enum strength { STRENGTH_NONE, STRENGTH_LIMIT, STRENGTH_MAINTAIN, STRENGTH_MOVE, STRENGTH_INCREASE };
enum voice { VOICE_SILENT, VOICE_TRAFFIC, VOICE_MONITOR, VOICE_MOVE, VOICE_REVERSE, VOICE_INCREASE, VOICE_CLEAR };
enum symbol { SYMBOL_OTHER, SYMBOL_PROXIMATE };
enum arrow { ARROW_LEVEL, ARROW_UP, ARROW_DOWN };
enum intent { INTENT_UNKNOWN, INTENT_ABOVE, INTENT_BELOW };

/* Seconds. */
#define REPORT_OLDEST 6
#define AHEAD_TRAFFIC 16
#define AHEAD_LOW 24
#define AHEAD_HIGH 32
#define PATIENCE 5
/* Feet. */
#define GROUND_SILENT 500
#define GROUND_DESCENT 1100
#define LAYER 10000
#define CEILING 41000
#define SEPARATION 400
#define PROXIMATE_HEIGHT 1200
/* Hundredths of a nautical mile. */
#define RANGE_NEAR 55
#define RANGE_PROXIMATE 600
/* Feet per second. */
#define RATE_ADVISED 25
#define RATE_ARROW 8
#define RATE_CREDIBLE 170

/* Sensors, as they come from the bus: words of 16 bits. */
short Range;
short ClosingSpeed;
unsigned short OwnAltitude;
short OwnRate;
unsigned short IntruderAltitude;
short IntruderRate;
short RadioHeight;

/* State that is kept from one cycle to the next: the sense that was advised, and for how many cycles. */
int Advised;
int AdvisedCycles;

/* How much the system may say, by the pilots' selector and by where we are. */
static int sensitivity(int selector) {
    if (selector == SELECTOR_STANDBY) {
        return LEVEL_OFF;
    }
    if (RadioHeight < GROUND_SILENT) {
        return LEVEL_TRAFFIC;
    }
    if (selector == SELECTOR_TRAFFIC) {
        return LEVEL_TRAFFIC;
    }
    if (OwnAltitude < LAYER) {
        return LEVEL_LOW;
    }
    return LEVEL_HIGH;
}

/* Seconds until the closest approach that is still worth a warning. */
static int look_ahead(int level) {
    switch (level) {
    case LEVEL_HIGH:
        return AHEAD_HIGH;
    case LEVEL_LOW:
        return AHEAD_LOW;
    default:
        return AHEAD_TRAFFIC;
    }
}

/* An old report, or one that no aircraft can fly, is not used. */
static int usable(int report_age) {
    if (report_age > REPORT_OLDEST) {
        return 0;
    }
    return IntruderRate <= RATE_CREDIBLE && IntruderRate >= -RATE_CREDIBLE;
}

/* How far we are above the intruder after some seconds, if we climb at a rate. */
static int height_above(int rate, int seconds) {
    int above = OwnAltitude - IntruderAltitude;
    int gained = (rate - IntruderRate) * seconds;

    return above + gained;
}

/* An intruder that closes in slowly is near by its range alone; 36 turns hundredths of a mile and knots into seconds. */
static int near(int seconds) {
    if (Range < RANGE_NEAR) {
        return 1;
    }
    if (ClosingSpeed <= 0) {
        return 0;
    }
    return 36 * Range < seconds * ClosingSpeed;
}

/* Whether the intruder is a threat unless somebody does something. */
static int threatens(int seconds) {
    int miss;

    if (!near(seconds)) {
        return 0;
    }
    miss = height_above(OwnRate, seconds);
    return miss < SEPARATION && miss > -SEPARATION;
}

/* Which way to go. The intruder's word counts first, then our own of the last cycle, then what gives more room without crossing. */
static int choose_sense(int seconds, int intent) {
    int up = height_above(RATE_ADVISED, seconds);
    int down = -height_above(-RATE_ADVISED, seconds);

    if (intent == INTENT_ABOVE) {
        return SENSE_DESCEND;
    }
    if (intent == INTENT_BELOW) {
        return SENSE_CLIMB;
    }
    if (Advised == SENSE_CLIMB && up >= 0) {
        return SENSE_CLIMB;
    }
    if (Advised == SENSE_DESCEND && down >= 0) {
        return SENSE_DESCEND;
    }
    if (OwnAltitude > IntruderAltitude && up >= SEPARATION) {
        return SENSE_CLIMB;
    }
    return up > down ? SENSE_CLIMB : SENSE_DESCEND;
}

/* How strongly to say it. What must not be flown becomes a limit: do not go the other way. */
static int choose_strength(int sense) {
    int rate = OwnRate;

    if (sense == SENSE_CLIMB && OwnAltitude > CEILING) {
        return STRENGTH_LIMIT;
    }
    if (sense == SENSE_DESCEND && RadioHeight < GROUND_DESCENT) {
        return STRENGTH_LIMIT;
    }
    if (sense == SENSE_DESCEND) {
        rate = -OwnRate;
    }
    if (sense == Advised && AdvisedCycles > PATIENCE && rate < RATE_ADVISED) {
        return STRENGTH_INCREASE;
    }
    if (rate >= RATE_ADVISED) {
        return STRENGTH_MAINTAIN;
    }
    return STRENGTH_MOVE;
}

/* What the voice says: only what is new. */
static int choose_voice(int threat, int sense, int strength) {
    if (sense == SENSE_NONE) {
        if (Advised != SENSE_NONE) {
            return VOICE_CLEAR;
        }
        return threat ? VOICE_TRAFFIC : VOICE_SILENT;
    }
    if (strength == STRENGTH_INCREASE) {
        return VOICE_INCREASE;
    }
    if (sense == Advised) {
        return VOICE_SILENT;
    }
    if (Advised != SENSE_NONE) {
        return VOICE_REVERSE;
    }
    return strength == STRENGTH_MOVE ? VOICE_MOVE : VOICE_MONITOR;
}

/* The intruder on the traffic display, whatever is advised. */
static int traffic_symbol(void) {
    int above = IntruderAltitude - OwnAltitude;
    int symbol = SYMBOL_OTHER;
    int arrow = ARROW_LEVEL;

    if (Range < RANGE_PROXIMATE && above < PROXIMATE_HEIGHT && above > -PROXIMATE_HEIGHT) {
        symbol = SYMBOL_PROXIMATE;
    }
    if (IntruderRate > RATE_ARROW) {
        arrow = ARROW_UP;
    } else if (IntruderRate < -RATE_ARROW) {
        arrow = ARROW_DOWN;
    }
    return symbol << 2 | arrow;
}

/* Keeps what was advised for the next cycle. */
static void remember(int sense) {
    if (sense != Advised) {
        Advised = sense;
        AdvisedCycles = 0;
    } else if (AdvisedCycles < 1000) {
        AdvisedCycles = AdvisedCycles + 1;
    }
}

/* Returns the word for the displays: the strength in bits 0 to 2, the sense in bits 3 and 4, the voice in bits 5 to 7, the symbol in bits 8 to 11. */
int advise(int selector, int report_age, int intent) {
    int level = sensitivity(selector);
    int sense = SENSE_NONE;
    int strength = STRENGTH_NONE;
    int threat = 0;
    int seconds;
    int voice;
    int symbol;

    if (level == LEVEL_OFF) {
        Advised = SENSE_NONE;
        AdvisedCycles = 0;
        return 0;
    }
    seconds = look_ahead(level);
    if (usable(report_age)) {
        threat = threatens(seconds);
    }
    if (threat && level > LEVEL_TRAFFIC) {
        sense = choose_sense(seconds, intent);
        strength = choose_strength(sense);
    }
    voice = choose_voice(threat, sense, strength);
    symbol = traffic_symbol();
    remember(sense);
    return symbol << 8 | voice << 5 | sense << 3 | strength;
}
