/* Global State Variables */
int AltPress = 0;
int Meter = 2;
void update(int PedalPos, int BSwitch, int PedalCmd) {
    if (PedalPos == 0)
        PedalCmd = PedalPos + 1;
    else if (PedalPos >= 1)
        PedalCmd = PedalPos + 2;

    if (PedalCmd == 1)
        AltPress = 0;
    else if (PedalCmd == 2)
        AltPress = 1 / 4;

    if (BSwitch == 0)
        Meter = 1;
    else if (BSwitch == 1)
        Meter = 2;
}
