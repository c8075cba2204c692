import Synchronization
import WinchBatch
import WinchModel
import WinchScreen

/// The options of a whole run that the ledger stores, so that `winch` without arguments resumes the run with them.
///
/// Stored are the options that were given for this run and those that were changed while it ran. Options of the settings
/// file are not stored, because the next run reads the file again.
final class StoredRunOptions: UpdateSubscriber {
    private let state: Mutex<State>
    private let keep: @Sendable ([NameValueLine]) -> Void

    fileprivate struct State {
        var settings: [NameValueLine]
        var last: QueueSettings
    }

    /// - Parameters:
    ///   - start: with which the run starts.
    ///   - keep: stores all options again when one was changed; called on the engine's thread, must not block.
    init(
        _ outcomes: [SettingSources.Outcome], start: QueueSettings,
        keep: @escaping @Sendable ([NameValueLine]) -> Void
    ) {
        self.keep = keep
        let given = outcomes.filter { outcome in
            switch outcome.origin {
            case .flag, .environment, .lastRun: outcome.option.traits.contains(.storedWithRun)
            case .standard, .file, .session, .now: false
            }
        }
        let settings = given.map { NameValueLine(name: $0.option.name, value: Self.lasting($0)) }
        state = Mutex(State(settings: settings, last: start))
    }

    /// A value that means the same in another working folder.
    private static func lasting(_ outcome: SettingSources.Outcome) -> String {
        guard outcome.option.name == "on-settled" else { return outcome.value }
        return (try? OptionValueParsing.hook(outcome.value))?.command?.text ?? outcome.value
    }

    var settings: [NameValueLine] { state.withLock { $0.settings } }

    func post(_ update: Update) {
        if let changed = changed(by: update.totals) { keep(changed) }
    }

    /// - Returns: all options if the totals show that one was changed, else `nil`.
    func changed(by totals: QueueTotals) -> [NameValueLine]? {
        state.withLock { (state: inout State) -> [NameValueLine]? in
            let last = state.last
            var now = last.changed(by: totals)
            // How the bar counts is not stored.
            now.mode = last.mode
            guard last != now else { return nil }
            state.last = now
            if last.slots != now.slots { state.set("jobs", "\(now.slots)") }
            if last.rateLimit != now.rateLimit { state.set("limit-rate", now.rateLimit?.typed ?? "none") }
            if last.uploadLimit != now.uploadLimit { state.set("limit-upload", now.uploadLimit?.typed ?? "none") }
            if last.isHeld != now.isHeld { state.set("hold", now.isHeld ? "yes" : "no") }
            return state.settings
        }
    }

    /// `resuming with --limit-rate 200K -j 2 of the last run`; `nil` when no option is taken from the last run.
    static func notice(_ outcomes: [SettingSources.Outcome]) -> String? {
        let words = outcomes.filter { $0.origin == .lastRun }.compactMap { outcome in
            argument(NameValueLine(name: outcome.option.name, value: outcome.value))
        }
        return words.isEmpty ? nil : "resuming with \(words.joined(separator: " ")) of the last run"
    }

    /// `-j 2, --limit-rate 200K and --hold`: options of a run that do not go with its transfers; empty: all go.
    static func words(ofLeft options: [NameValueLine]) -> String {
        // Each transfer has its own.
        let words = options.filter { $0.name != "limit-rate-each" }.compactMap(argument)
        return (words.dropLast(2) + [words.suffix(2).joined(separator: " and ")]).joined(separator: ", ")
    }

    /// `nil`: a flag that is not set.
    private static func argument(_ option: NameValueLine) -> String? {
        switch option.name {
        case "hold", "fail-fast": option.value == "yes" ? "--\(option.name)" : nil
        case "jobs": "-j \(option.value)"
        case "on-settled": "--on-settled '\(option.value)'"
        default: "--\(option.name) \(option.value)"
        }
    }
}

extension StoredRunOptions.State {
    fileprivate mutating func set(_ name: String, _ value: String) {
        settings.removeAll { $0.name == name }
        settings.append(NameValueLine(name: name, value: value))
    }
}
