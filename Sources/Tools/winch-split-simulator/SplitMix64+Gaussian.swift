import WinchModel

extension SplitMix64 {
    /// Of mean 0 and deviation 1, from the sum of four even numbers.
    mutating func gaussian() -> Double {
        let sum = (0..<4).reduce(0.0) { sum, _ in sum + Double(next() >> 11) * 0x1p-53 }
        return (sum - 2) * 1.732
    }
}
