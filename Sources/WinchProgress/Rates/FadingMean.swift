/// A mean that forgets: what is older than `memory` seconds counts for little.
///
/// A value that held for d seconds enters with the weight d / (memory + d). For short steps that is the exponential
/// weight 1 - exp(-d / memory), and for long ones it stays below 1; it needs no exponential.
struct FadingMean: Hashable, Sendable {
    var value: Double

    mutating func blend(_ new: Double, over seconds: Double, memory: Double) {
        value += (new - value) * seconds / (memory + seconds)
    }
}
