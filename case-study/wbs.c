/*
 * Wheel brake controller of a passenger aircraft, in the spirit of the example in ARP 4761.
 *
 * The wheels are braked by the normal system, which green hydraulics feed. When green fails, the alternate system takes over with blue hydraulics,
 * and at last with what the accumulator holds. The brake system control unit computes the brake command from the pedals or from the autobrake,
 * takes back what the antiskid function demands, meters the pressure of the selected system, and watches itself.
 *
 * update() is called once in each cycle of 20 ms. Positions and commands are in percent unless a comment says otherwise.
 */

enum pedal { PEDAL_RELEASED, PEDAL_LIGHT, PEDAL_MEDIUM, PEDAL_HARD, PEDAL_FULL };
enum mode { MODE_NORMAL, MODE_ALTERNATE, MODE_EMERGENCY };
enum level { AUTO_LOW, AUTO_MEDIUM, AUTO_MAXIMUM };

/* Volts. */
#define SUPPLY_LEAST 18
/* Knots. */
#define AUTOBRAKE_SPEED 30
#define ANTISKID_SPEED 10
/* Bar. */
#define HYDRAULICS_LOW 120
#define HYDRAULICS_RESTORED 170
/* Degrees Celsius. */
#define BRAKES_WARM 200
#define BRAKES_HOT 400
#define BRAKES_BURNING 700
/* Cycles. */
#define SKID_RECOVERY_FAST 2
#define SKID_RECOVERY_SLOW 6
#define MONITOR_PATIENCE 3
/* Applications of the brakes until they are inspected. */
#define WEAR_LIMIT 2000
/* The largest harmless difference between commanded and measured pressure. */
#define TOLERANCE 10

/* Sensors. */
int SupplyVoltage;
int GroundSpeed;
int GreenPressure;
int BluePressure;
int MeasuredPressure;
int BrakeTemperature;
int AutoLevel;

/* State that is kept from one cycle to the next. */
int Mode;
int SkidCycles;
int Disagreements;
int Applications;

/* Outputs. */
int NormalCommand;
int AlternateCommand;
int SelectorOpen;
int AccumulatorOpen;
int FanSpeed;
int AutoBrakeLight;
int AlternateLight;
int FaultLight;
int HotLight;
int InspectionLight;

void update(int PedalPos, int AutoBrake, int Skid) {
    int demand;
    int automatic;
    int release;
    int command;
    int difference;

    /* Without power the valves fall back to their springs: the pilots brake by the accumulator. */
    if (SupplyVoltage < SUPPLY_LEAST) {
        NormalCommand = 0;
        AlternateCommand = 0;
        SelectorOpen = 0;
        AccumulatorOpen = 1;
        FaultLight = 1;
        return;
    }

    /* What the pilots demand. */
    if (PedalPos <= PEDAL_RELEASED) {
        demand = 0;
    } else if (PedalPos == PEDAL_LIGHT) {
        demand = 25;
    } else if (PedalPos == PEDAL_MEDIUM) {
        demand = 50;
    } else if (PedalPos == PEDAL_HARD) {
        demand = 75;
    } else {
        demand = 100;
    }

    /* What the autobrake demands. Any push on the pedals takes over. */
    automatic = 0;
    AutoBrakeLight = 0;
    if (AutoBrake) {
        if (PedalPos <= PEDAL_RELEASED) {
            if (GroundSpeed > AUTOBRAKE_SPEED) {
                AutoBrakeLight = 1;
                if (AutoLevel == AUTO_LOW) {
                    automatic = 30;
                } else if (AutoLevel == AUTO_MEDIUM) {
                    automatic = 60;
                } else {
                    automatic = 90;
                }
            }
        }
    }

    command = demand;
    if (automatic > demand) {
        command = automatic;
    }

    /* Antiskid: let go at once, and give the pressure back in steps. */
    release = 0;
    if (GroundSpeed >= ANTISKID_SPEED) {
        if (Skid) {
            SkidCycles = 0;
            release = 100;
        } else if (SkidCycles < SKID_RECOVERY_FAST) {
            SkidCycles = SkidCycles + 1;
            release = 60;
        } else if (SkidCycles < SKID_RECOVERY_SLOW) {
            SkidCycles = SkidCycles + 1;
            release = 20;
        }
    }
    command = command - release;
    if (command < 0) {
        command = 0;
    }

    /* The hydraulic system that brakes. Green comes back only after it has recovered well, blue likewise. */
    switch (Mode) {
    case MODE_NORMAL:
        if (GreenPressure < HYDRAULICS_LOW) {
            Mode = MODE_ALTERNATE;
        }
        break;
    case MODE_ALTERNATE:
        if (GreenPressure > HYDRAULICS_RESTORED) {
            Mode = MODE_NORMAL;
        } else if (BluePressure < HYDRAULICS_LOW) {
            Mode = MODE_EMERGENCY;
        }
        break;
    default:
        if (BluePressure > HYDRAULICS_RESTORED) {
            Mode = MODE_ALTERNATE;
        } else {
            Mode = MODE_EMERGENCY;
        }
        break;
    }

    /* The valves. */
    if (Mode == MODE_NORMAL) {
        SelectorOpen = 1;
        AccumulatorOpen = 0;
        AlternateLight = 0;
        NormalCommand = command;
        AlternateCommand = 0;
    } else if (Mode == MODE_ALTERNATE) {
        SelectorOpen = 0;
        AccumulatorOpen = 0;
        AlternateLight = 1;
        NormalCommand = 0;
        AlternateCommand = command;
    } else {
        /* The accumulator has no antiskid: never more than the pilots ask for, and never all of it. */
        SelectorOpen = 0;
        AccumulatorOpen = 1;
        AlternateLight = 1;
        NormalCommand = 0;
        AlternateCommand = demand;
        if (demand > 75) {
            AlternateCommand = 75;
        }
    }

    /* The monitor: a pressure that stays away from the command for some cycles is a fault. */
    difference = MeasuredPressure - command;
    if (difference > TOLERANCE) {
        Disagreements = Disagreements + 2;
    } else if (difference < -TOLERANCE) {
        Disagreements = Disagreements + 1;
    } else {
        Disagreements = 0;
    }
    FaultLight = 0;
    if (Disagreements > MONITOR_PATIENCE) {
        FaultLight = 1;
    }

    /* The brakes are cooled as long as they are warm. */
    HotLight = 0;
    if (BrakeTemperature > BRAKES_BURNING) {
        FanSpeed = 100;
        HotLight = 2;
    } else if (BrakeTemperature > BRAKES_HOT) {
        FanSpeed = 100;
        HotLight = 1;
    } else if (BrakeTemperature > BRAKES_WARM) {
        FanSpeed = 50;
    } else {
        FanSpeed = 0;
    }

    /* Wear. */
    InspectionLight = 0;
    if (Applications > WEAR_LIMIT) {
        InspectionLight = 1;
    }
}
