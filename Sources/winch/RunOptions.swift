import Synchronization
import WinchCore
import WinchScreen

/// What counts for a run as a whole and is kept with it, for `winch` alone to go on with.
///
/// Kept is what was given for this run, and what was changed while it ran; the settings file is read again anyway.
final class RunOptions: Sendable {
    private static let names = ["limit-rate", "limit-rate-each", "jobs", "per-host", "hold"]

    private let state: Mutex<State>

    fileprivate struct State {
        var settings: [Setting]
        var last: Live?
    }

    /// What the dashboard can change.
    fileprivate struct Live: Hashable {
        var slots: Int
        var rateLimit: ByteRate?
        var isHeld: Bool

        init(_ totals: QueueTotals) {
            (slots, rateLimit, isHeld) = (totals.slots, totals.rateLimit, totals.isHeld)
        }
    }

    init(_ outcomes: [SettingSources.Outcome]) {
        let given = outcomes.filter { outcome in
            switch outcome.origin {
            case .flag, .environment, .lastRun: Self.names.contains(outcome.option.name)
            case .standard, .file, .now: false
            }
        }
        state = Mutex(State(settings: given.map { Setting(name: $0.option.name, value: $0.value) }))
    }

    var settings: [Setting] { state.withLock { $0.settings } }

    /// - Returns: all of them, when the totals show that one was changed.
    func changed(by totals: QueueTotals) -> [Setting]? {
        state.withLock { (state: inout State) -> [Setting]? in
            let now = Live(totals)
            defer { state.last = now }
            // The first totals are those that the run began with.
            guard let last = state.last, last != now else { return nil }
            if last.slots != now.slots { state.set("jobs", "\(now.slots)") }
            if last.rateLimit != now.rateLimit { state.set("limit-rate", now.rateLimit.map(Self.text) ?? "none") }
            if last.isHeld != now.isHeld { state.set("hold", now.isHeld ? "yes" : "no") }
            return state.settings
        }
    }

    /// As it would be typed: `200K`.
    private static func text(_ rate: ByteRate) -> String {
        let bytes = ByteCount(bytes: Int64(min(rate.perSecond, 1e15))).bytes
        if bytes.isMultiple(of: 1 << 20), bytes > 0 { return "\(bytes >> 20)M" }
        return bytes.isMultiple(of: 1 << 10) && bytes > 0 ? "\(bytes >> 10)K" : "\(bytes)"
    }

    /// `resuming with --limit-rate 200K -j 2 of the last run`; `nil` when none of them is in force.
    static func notice(_ outcomes: [SettingSources.Outcome]) -> String? {
        let words = outcomes.filter { $0.origin == .lastRun }.compactMap { outcome -> String? in
            switch outcome.option.name {
            case "hold": outcome.value == "yes" ? "--hold" : nil
            case "jobs": "-j \(outcome.value)"
            default: "--\(outcome.option.name) \(outcome.value)"
            }
        }
        return words.isEmpty ? nil : "resuming with \(words.joined(separator: " ")) of the last run"
    }
}

extension RunOptions.State {
    fileprivate mutating func set(_ name: String, _ value: String) {
        settings.removeAll { $0.name == name }
        settings.append(Setting(name: name, value: value))
    }
}
