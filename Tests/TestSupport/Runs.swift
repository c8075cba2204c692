import Foundation

/// What `make torture`, `make monkey` and their like ask for.
package enum Runs {
    /// - Parameter name: `ROUNDS`: how many runs `WINCH_ROUNDS` asks for; `nil`: the usual ones.
    package static func count(of name: String) -> Int? {
        ProcessInfo.processInfo.environment["WINCH_\(name)"].flatMap { Int($0) }
    }

    /// WINCH_SEED, which repeats a run, or another one each time.
    package static func firstSeed() -> UInt64 {
        UInt64(ProcessInfo.processInfo.environment["WINCH_SEED"] ?? "") ?? .random(in: 1...999_999)
    }
}
