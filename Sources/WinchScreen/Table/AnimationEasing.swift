import WinchModel

/// The motion of a shown value towards the actual one.
///
/// The distance decays as exp(-t / 83.3 ms): 95% of the way in 250 ms. Since exp(-(a + b)) = exp(-a) exp(-b), the result
/// depends on the time alone and not on how many frames it was cut into.
enum AnimationEasing {
    /// The shown value `elapsed` after it was `shown`.
    ///
    /// - Parameter elapsed: from 1 s on, e.g. after a suspend, the result is `target`; if zero or negative (the clock
    ///   stood still or ran backwards), it is `shown`.
    static func step(from shown: Double, to target: Double, elapsed: Duration) -> Double {
        guard elapsed > .zero else { return shown }
        guard elapsed < longestWay else { return target }
        return target + (shown - target) * decay(elapsed.seconds / timeConstant)
    }

    /// The first frame after `now` that `differs`; after `longestWay` the motion has ended.
    ///
    /// - Parameter isShort: less than two cells are left to fill.
    static func firstChange(
        after now: Moment, frame: Duration, isShort: Bool, differs: (Moment) -> Bool
    ) -> Moment {
        let span = isShort ? max(frame, shortStep) : frame
        var time = now + span
        while time < now + longestWay, !differs(time) { time = time + span }
        return time
    }

    /// 100 ms: updates come ten times a second, and over less than two cells more frames than updates are not seen.
    private static let shortStep = Duration.milliseconds(100)

    /// e^-x for x >= 0, within 1e-15; 0 from 700 on.
    ///
    /// With x = n ln 2 + r and |r| <= ln 2 / 2: e^-x = 2^-n e^-r, the latter by its series. The standard library has no
    /// exponential without a C library.
    static func decay(_ x: Double) -> Double {
        guard x > 0 else { return 1 }
        guard x < 700 else { return 0 }
        let halvings = (x / ln2).rounded()
        let rest = x - halvings * ln2
        var (sum, term) = (1.0, 1.0)
        for n in 1...16 {
            term *= -rest / Double(n)
            sum += term
        }
        return Double(sign: .plus, exponent: -Int(halvings), significand: sum)
    }

    /// 250 ms / 3: after three of them 5% of the way is left.
    static let timeConstant = 0.25 / 3
    /// 12 time constants: 6 millionths of the distance are left. The motion ends here, since otherwise the last
    /// eighth of a cell might never be filled.
    private static let longestWay = Duration.seconds(1)
    private static let ln2 = 0.693_147_180_559_945_3
}
