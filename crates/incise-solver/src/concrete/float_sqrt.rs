//! The square root of formats that the host does not compute: digit by digit, as by hand, in integers.

/// The root of `significand * 2^exponent`, where the significand has exactly `precision` bits: a significand of
/// `precision` bits rounded to nearest, ties to even, and its exponent.
pub(super) fn square_root(significand: u128, exponent: i32, precision: u32) -> (u128, i32) {
    // Scaling so that the root gets one bit more than is kept; what remains afterwards only breaks ties.
    let shift = if (exponent - precision as i32 - 1) % 2 == 0 { precision + 1 } else { precision + 2 };
    let digit = |position: u32| {
        let bit = |at: u32| if at >= shift { (significand >> (at - shift)) & 1 } else { 0 };
        bit(2 * position + 1) << 1 | bit(2 * position)
    };
    let (mut root, mut remainder) = (0u128, 0u128);
    for position in (0..=precision).rev() {
        remainder = remainder << 2 | digit(position);
        let trial = root << 2 | 1;
        root <<= 1;
        if remainder >= trial {
            remainder -= trial;
            root |= 1;
        }
    }
    let half = root & 1 == 1;
    let mut kept = root >> 1;
    let mut exponent = (exponent - shift as i32) / 2 + 1;
    if half && (remainder != 0 || kept & 1 == 1) {
        kept += 1;
        if kept >> precision != 0 {
            kept >>= 1;
            exponent += 1;
        }
    }
    (kept, exponent)
}
