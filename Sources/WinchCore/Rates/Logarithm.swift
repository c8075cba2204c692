/// The natural logarithm of a positive number, without the C library that this room does not import.
///
/// x = m 2^e with m in 1/sqrt 2 ... sqrt 2; with z = (m - 1) / (m + 1), ln m = 2 (z + z^3/3 + z^5/5 + ...). There
/// |z| <= 0.172, so that the five terms kept leave an error below 1e-9: rates are compared, not tabulated.
///
/// - Returns: `-infinity` for zero; not a number for anything below.
func naturalLogarithm(_ x: Double) -> Double {
    guard x > 0, x.isFinite else { return x == 0 ? -.infinity : x > 0 ? .infinity : .nan }
    var mantissa = x.significand
    var exponent = Double(x.exponent)
    if mantissa > 1.414_213_562_373_095_1 {
        mantissa *= 0.5
        exponent += 1
    }
    let z = (mantissa - 1) / (mantissa + 1)
    let square = z * z
    let series = 1 + square * (1 / 3 + square * (1 / 5 + square * (1 / 7 + square * (1 / 9))))
    return exponent * 0.693_147_180_559_945_3 + 2 * z * series
}
