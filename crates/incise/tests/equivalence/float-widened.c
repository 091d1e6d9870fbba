// verdict: same
// entry: product
// kind: refactoring
// loops: none
// domain: float
// The product of two floats is exact in double; rounding it once gives the float product.
float old_product(float a, float b) {
    return a * b;
}

float new_product(float a, float b) {
    return (float)((double)a * (double)b);
}
