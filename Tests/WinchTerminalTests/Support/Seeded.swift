import WinchModel

/// Random numbers that are the same in every run.
typealias Seeded = SplitMix64

extension SplitMix64 {
    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &self) }
    mutating func byte() -> UInt8 { UInt8.random(in: .min ... .max, using: &self) }
}
