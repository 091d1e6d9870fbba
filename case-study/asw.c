/*
 * Altitude switch of an aircraft: turns power on to a device of interest (DOI) when the aircraft descends below a threshold above ground.
 *
 * One analog and two digital radio altimeters are asked in each cycle of 100 ms. When none of them gives an altitude for two seconds, or the device does not answer
 * within two seconds, the switch reports a fault. A person can inhibit it, and reset it after a fault. A watchdog restarts a switch that no longer strobes it.
 */

enum quality { QUALITY_NORMAL, QUALITY_NO_DATA, QUALITY_TEST, QUALITY_FAILED };
enum altitude { ALTITUDE_UNKNOWN, ALTITUDE_ABOVE, ALTITUDE_BELOW };
enum mode { MODE_STANDBY, MODE_AWAIT_DEVICE, MODE_ON, MODE_FAULT };

/* Feet above ground. */
#define THRESHOLD 2000
#define HYSTERESIS 200
#define HIGHEST 50000
/* Millivolts of the analog altimeter: below and above it is broken. */
#define VOLTAGE_LEAST 400
#define VOLTAGE_MOST 9600
/* Degrees Celsius. */
#define ICING -5
#define OVERHEATED 60
/* Cycles. */
#define PATIENCE 20

/* What the altimeters say. */
int AnalogVoltage;
int AnalogAltitude;
int DigitalAltitude1;
int DigitalQuality1;
int DigitalAltitude2;
int DigitalQuality2;
int AntennaTemperature;

/* State that is kept from one cycle to the next. */
int Mode;
int LastAltitude;
int UnknownCycles;
int WaitCycles;
int Strobe;

/* Outputs. */
int DevicePower;
int FaultLight;
int FailedAltimeters;
int BatteryWarning;
int AntennaHeater;

void update(int Inhibit, int Reset, int DeviceOn, int BatteryVoltage) {
    int below = 0;
    int above = 0;
    int failed = 0;
    int altitude;

    /* The analog altimeter has no self-test: its voltage tells whether it lives. */
    if (AnalogVoltage < VOLTAGE_LEAST) {
        failed = failed + 1;
    } else if (AnalogVoltage > VOLTAGE_MOST) {
        failed = failed + 1;
    } else if (AnalogAltitude < THRESHOLD) {
        below = below + 1;
    } else if (AnalogAltitude > THRESHOLD + HYSTERESIS) {
        above = above + 1;
    }

    /* The digital ones say how good their data is; data for test purposes is not for flying. */
    if (DigitalQuality1 == QUALITY_NORMAL) {
        if (DigitalAltitude1 < THRESHOLD) {
            below = below + 1;
        } else if (DigitalAltitude1 > THRESHOLD + HYSTERESIS) {
            above = above + 1;
        }
    } else if (DigitalQuality1 == QUALITY_FAILED) {
        failed = failed + 1;
    }

    if (DigitalQuality2 == QUALITY_NORMAL) {
        if (DigitalAltitude2 < THRESHOLD) {
            below = below + 1;
        } else if (DigitalAltitude2 > THRESHOLD + HYSTERESIS) {
            above = above + 1;
        }
    } else if (DigitalQuality2 == QUALITY_FAILED) {
        failed = failed + 1;
    }
    FailedAltimeters = failed;

    /* One altimeter that sees the ground is enough. */
    if (below > 0) {
        altitude = ALTITUDE_BELOW;
    } else if (above > 0) {
        altitude = ALTITUDE_ABOVE;
    } else {
        altitude = ALTITUDE_UNKNOWN;
    }

    /* How long the altitude has been unknown. */
    if (altitude == ALTITUDE_UNKNOWN) {
        UnknownCycles = UnknownCycles + 1;
    } else {
        UnknownCycles = 0;
    }

    /* A person gives the switch another chance. */
    if (Reset) {
        Mode = MODE_STANDBY;
        UnknownCycles = 0;
        WaitCycles = 0;
    }

    /* The switch itself. */
    if (Mode == MODE_STANDBY) {
        if (UnknownCycles > PATIENCE) {
            Mode = MODE_FAULT;
        } else if (altitude == ALTITUDE_BELOW) {
            /* Only a descent counts: an aircraft that starts on the ground is no reason. */
            if (LastAltitude == ALTITUDE_ABOVE) {
                if (!Inhibit) {
                    Mode = MODE_AWAIT_DEVICE;
                    WaitCycles = 0;
                }
            }
        }
    } else if (Mode == MODE_AWAIT_DEVICE) {
        WaitCycles = WaitCycles + 1;
        if (DeviceOn) {
            Mode = MODE_ON;
        } else if (WaitCycles > PATIENCE) {
            Mode = MODE_FAULT;
        }
    } else if (Mode == MODE_ON) {
        if (!DeviceOn) {
            Mode = MODE_FAULT;
        } else if (altitude == ALTITUDE_ABOVE) {
            Mode = MODE_STANDBY;
        }
    }

    if (altitude != ALTITUDE_UNKNOWN) {
        LastAltitude = altitude;
    }

    /* Outputs. */
    DevicePower = 0;
    FaultLight = 0;
    if (Mode == MODE_AWAIT_DEVICE) {
        DevicePower = 1;
    } else if (Mode == MODE_ON) {
        DevicePower = 1;
    } else if (Mode == MODE_FAULT) {
        FaultLight = 1;
    }

    /* The antennas of the altimeters must not ice up; in between the heater stays as it is. */
    if (AntennaTemperature < ICING) {
        AntennaHeater = 1;
    } else if (AntennaTemperature > OVERHEATED) {
        AntennaHeater = 0;
    }

    /* The battery that the device would run on. */
    if (BatteryVoltage < 9000) {
        BatteryWarning = 2;
    } else if (BatteryVoltage < 11000) {
        BatteryWarning = 1;
    } else {
        BatteryWarning = 0;
    }

    /* The watchdog wants to see a change in every cycle. */
    if (Strobe) {
        Strobe = 0;
    } else {
        Strobe = 1;
    }
}
