// verdict: same
// entry: fahrenheit
// kind: refactoring
// loops: none
// domain: float
// A formula in a function of its own.
double old_fahrenheit(double celsius, int limited) {
    if (limited) {
        return celsius * 9.0 / 5.0 + 32.0 > 200.0 ? 200.0 : celsius * 9.0 / 5.0 + 32.0;
    }
    return celsius * 9.0 / 5.0 + 32.0;
}

static double convert(double celsius) {
    return celsius * 9.0 / 5.0 + 32.0;
}

double new_fahrenheit(double celsius, int limited) {
    double result = convert(celsius);
    if (limited && result > 200.0) {
        return 200.0;
    }
    return result;
}
