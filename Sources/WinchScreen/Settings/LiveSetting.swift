import WinchBatch
package import WinchModel

/// A setting that can be changed while the dashboard runs, in the settings panel and on the command line.
enum LiveSetting: String, Hashable, Sendable, CaseIterable {
    case jobs
    case limitRate = "limit-rate"
    case limitUpload = "limit-upload"
    case progress
    case theme
    case animation
    case ascii
    case fps
    case exit
    case mouse
    case sort
    case columns
    case group

    /// - Parameter name: the name of the option, or its short word for the command line.
    init?(_ name: some StringProtocol) {
        guard let found = Self.allCases.first(where: { $0.rawValue == name || $0.word == name }) else { return nil }
        self = found
    }

    /// The command that changes it, as typed after `:`.
    var word: String {
        switch self {
        case .limitRate: "limit"
        case .progress: "mode"
        case .jobs, .limitUpload, .theme, .animation, .ascii, .fps, .exit, .mouse, .sort, .columns, .group: rawValue
        }
    }

    /// It belongs to the queue, which may be that of a session, and not to the dashboard.
    var isOfQueue: Bool { [.jobs, .limitRate, .limitUpload, .progress].contains(self) }

    var words: String {
        switch self {
        case .jobs: "files at a time"
        case .limitRate: "total rate limit: 500K, 2M, none"
        case .limitUpload: "rate limit of all uploads: 500K, 2M, none"
        case .progress: "count files (simple) or bytes (accurate)"
        case .theme: "colours"
        case .animation: "bars move smoothly"
        case .ascii: "ASCII characters only"
        case .fps: "frames a second, 1 to 20"
        case .exit: "leave when everything has finished"
        case .mouse: "use the mouse"
        case .sort: "sort the list by a column"
        case .columns: "columns of the table, or auto"
        case .group: "group the list by folder: auto, on or off"
        }
    }

    /// The value in the form that `Dashboard.value(of:)` returns, so that both can be compared.
    func normal(_ text: String) -> String {
        switch self {
        case .limitRate, .limitUpload: ByteRate(parsing: text).flatMap { $0 > .zero ? $0.typed : nil } ?? "none"
        case .theme: text == "standard" ? "dark" : text
        case .animation, .ascii, .exit, .mouse: NameValueLine.boolean(text).map { $0 ? "yes" : "no" } ?? text
        case .columns: ColumnChoice.parsing(text).choice.text
        case .jobs, .progress, .fps, .sort, .group: text
        }
    }

    /// The possible values, for completion; only examples for numbers and rates.
    func choices(themes: [Theme]) -> [String] {
        switch self {
        case .jobs: ["1", "2", "4", "8", "16", "32"]
        case .limitRate, .limitUpload: ["none"] + RateLadder.steps.map(\.typed)
        case .progress: ProgressMode.allCases.map(\.rawValue)
        case .theme: themes.map(\.name)
        case .animation, .ascii, .exit, .mouse: ["yes", "no"]
        case .fps: ["1", "5", "10", "20"]
        case .sort: SettingText.sorts.flatMap { [$0, $0 + ",reverse"] }
        case .columns: ["auto", ColumnChoice.all.joined(separator: ","), "name,bar,percent,rate,left,state"]
        case .group: ListGrouping.allCases.map(\.rawValue)
        }
    }
}

extension ByteRate {
    /// As `limit(reading:)`; an empty line removes the limit.
    static func limit(typed text: String) throws(InvalidValue) -> ByteRate? {
        try Substring(text).trimmingBlanks().isEmpty ? nil : limit(reading: text)
    }

    /// The rate as a user types it: `500K`, `2M`, `1234`.
    package var typed: String {
        let bytes = Int64(min(perSecond, 1e15))
        if bytes >= 1 << 20, bytes % (1 << 20) == 0 { return "\(bytes >> 20)M" }
        if bytes >= 1 << 10, bytes % (1 << 10) == 0 { return "\(bytes >> 10)K" }
        return "\(bytes)"
    }
}

extension Dashboard {
    func value(of setting: LiveSetting, board: QueueCopy) -> String {
        func word(_ isOn: Bool) -> String { isOn ? "yes" : "no" }
        return switch setting {
        case .jobs: "\(board.totals.slots)"
        case .limitRate: board.totals.rateLimit?.typed ?? "none"
        case .limitUpload: board.totals.uploadLimit?.typed ?? "none"
        case .progress: board.totals.mode.rawValue
        case .theme: look.theme.name
        case .animation: word(look.isAnimated)
        case .ascii: word(look.isASCII)
        case .fps: "\(look.framesPerSecond)"
        case .exit: word(quitsWhenSettled)
        case .mouse: word(isMouseOn)
        case .sort: list.sort.text
        case .columns: columnChoice.text
        case .group: grouping.rawValue
        }
    }

    /// Changes a setting.
    ///
    /// - Throws: the reason why the value is refused.
    mutating func change(
        _ setting: LiveSetting, to text: String, board: QueueCopy, now: Moment
    ) throws(InvalidValue) -> [ScreenAction] {
        func refusal(_ wanted: String) -> InvalidValue {
            let question = NearestName.question(for: text, among: setting.choices(themes: themes))
            return InvalidValue("\(setting.word) takes \(wanted), not \(text.isEmpty ? "nothing" : text)\(question)")
        }
        func flag() throws(InvalidValue) -> Bool {
            // An empty text means yes, so that `:animation` alone turns the setting on.
            guard let isOn = text.isEmpty ? true : NameValueLine.boolean(text) else { throw refusal("yes or no") }
            return isOn
        }
        switch setting {
        case .jobs:
            guard let count = Int(text), (1...Command.mostSlots).contains(count) else {
                throw refusal("a number from 1 to \(Command.mostSlots)")
            }
            slots.ask(count, at: now)
            notice = Notice("\(count.counted("file")) at a time", now: now)
            return [.send(.setSlots(count))]
        case .limitRate:
            let limit = try ByteRate.limit(typed: text)
            rateLimit.ask(limit, at: now)
            notice = Notice(Self.totalLimitWords(limit), now: now)
            return [.send(.setRateLimit(limit))]
        case .limitUpload:
            let limit = try ByteRate.limit(typed: text)
            uploadLimit.ask(limit, at: now)
            notice = Notice(limit.map { "Upload limit \(NumberFormat.rate($0))" } ?? "Upload limit removed", now: now)
            return [.send(.setUploadLimit(limit))]
        case .progress:
            guard let mode = ProgressMode(rawValue: text) else { throw refusal("simple or accurate") }
            return [.send(.setMode(mode))]
        case .theme:
            guard let theme = themes.first(where: { $0.name == (text == "standard" ? "dark" : text) }) else {
                throw refusal(themes.map(\.name).joined(separator: ", "))
            }
            use(theme, now: now)
        case .animation: look.isAnimated = try flag()
        case .ascii:
            let isOn = try flag()
            guard isOn || canShowUnicode else { throw InvalidValue("This terminal shows ASCII characters only") }
            look.isASCII = isOn
        case .fps:
            guard let frames = Int(text), (1...20).contains(frames) else { throw refusal("a number from 1 to 20") }
            look.setFrames(frames)
            return [.setFrames(frames)]
        case .exit: quitsWhenSettled = try flag()
        case .mouse:
            let isOn = try flag()
            return isOn == isMouseOn ? [] : act(.toggleMouse, board: board, now: now)
        case .sort:
            guard let order = RowSort(text: text) else { throw refusal(SettingText.sorts.joined(separator: ", ")) }
            sort(order, board: board, now: now)
        case .columns:
            let (choice, problems) = ColumnChoice.parsing(text)
            if let problem = problems.first { throw InvalidValue(problem) }
            columnChoice = choice
        case .group:
            guard let choice = ListGrouping(rawValue: text) else { throw refusal("auto, on or off") }
            group(choice, board: board, now: now)
        }
        return []
    }

    /// The previous or next value, for the arrow keys. Numbers change by 1, the rate limit follows `RateLadder`,
    /// other settings cycle through their choices.
    func adjacentValue(of setting: LiveSetting, isNext: Bool, board: QueueCopy) -> String {
        let current = value(of: setting, board: board)
        switch setting {
        case .jobs: return "\(min(max(1, board.totals.slots + (isNext ? 1 : -1)), Command.mostSlots))"
        case .fps: return "\(min(max(1, look.framesPerSecond + (isNext ? 1 : -1)), 20))"
        case .limitRate, .limitUpload:
            let limit = setting == .limitRate ? board.totals.rateLimit : board.totals.uploadLimit
            return (isNext ? RateLadder.above(limit) : RateLadder.below(limit))?.typed ?? "none"
        case .progress, .theme, .animation, .ascii, .exit, .mouse, .sort, .columns, .group:
            let choices = setting.choices(themes: themes)
            let place = choices.firstIndex(of: current) ?? 0
            return choices[(place + (isNext ? 1 : choices.count - 1)) % choices.count]
        }
    }

    mutating func use(_ theme: Theme, now: Moment) {
        let isApplied = look.use(theme)
        notice = Notice(
            isApplied ? "Theme \(theme.name)" : "This terminal has no colours; the theme stays mono", now: now)
        guard isApplied, let problem = theme.problems.first else { return }
        let more = theme.problems.count > 1 ? " (and \(theme.problems.count - 1) more in the log)" : ""
        notice = Notice("Theme \(theme.name); \(problem)\(more)", now: now)
        journal.append(theme.problems.map { LogEntry(at: now, subject: .userMessage($0, .warning)) })
    }
}

/// Whether the rows are grouped by folder.
package enum ListGrouping: String, Hashable, Sendable, CaseIterable {
    /// From the first row on that lists a folder.
    case auto
    case on, off

    func isOn(_ totals: QueueTotals) -> Bool {
        switch self {
        case .auto: totals.listings != nil
        case .on: true
        case .off: false
        }
    }
}

/// Every option of the program with its value and the origin of the value. Filled in by the `winch` command.
package struct SettingsList: Hashable, Sendable {
    package enum Origin: Hashable, Sendable {
        case standard
        /// A line of the settings file, from 1.
        case file(line: Int)
        /// The earlier run that this one continues.
        case lastRun
        case environment
        case flag
        case session
        /// Changed while the dashboard runs.
        case now

        /// The origin as shown to the user: `file, line 3`.
        package var words: String {
            switch self {
            case .standard: "default"
            case .file(let line): "file, line \(line)"
            case .lastRun: "last run"
            case .environment: "environment"
            case .flag: "command line"
            case .session: "session"
            case .now: "changed now"
            }
        }
    }

    package struct NameValueLine: Hashable, Sendable {
        /// The option's long name, without dashes.
        package var name: String
        /// The value as written in the settings file; never a password.
        package var value: String
        package var origin: Origin
        package var description: String

        package init(name: String, value: String, origin: Origin, description: String) {
            (self.name, self.value, self.origin, self.description) = (name, value, origin, description)
        }

        package var isChangeable: Bool { LiveSetting(name) != nil }
    }

    package var settings: [NameValueLine]

    package init(_ settings: [NameValueLine] = []) { self.settings = settings }
}

/// A value that was requested from the engine and is not confirmed yet. The next key press counts on from it.
struct PendingValue<Value: Hashable & Sendable>: Hashable, Sendable {
    private var value: Value?
    private var at: Moment?

    /// The requested value while the request is recent, else `actual`.
    func or(_ actual: Value, at now: Moment) -> Value {
        guard let value, let at, now - at < Self.timeout else { return actual }
        return value
    }

    mutating func ask(_ value: Value, at now: Moment) {
        self.value = value
        at = now
    }

    /// 1 s: the engine reports ten times a second, so an older request was refused.
    private static var timeout: Duration { .seconds(1) }
}

/// The rate limits that `z` and `Z` step through: round numbers, each about half of the one before.
enum RateLadder {
    /// Descending; above the first there is no limit.
    static let steps: [ByteRate] = {
        let (mebi, kibi) = (1024.0 * 1024, 1024.0)
        return [
            10 * mebi, 5 * mebi, 2 * mebi, mebi, 500 * kibi, 200 * kibi, 100 * kibi, 50 * kibi, 20 * kibi, 10 * kibi,
        ]
        .map(ByteRate.init(perSecond:))
    }()

    /// The next lower limit. `nil`, no limit, gives the highest; the lowest stays.
    static func below(_ rate: ByteRate?) -> ByteRate? {
        guard let rate else { return steps.first }
        return steps.first { $0 < rate } ?? steps.last
    }

    /// The next higher limit, `nil` above the highest.
    static func above(_ limit: ByteRate?) -> ByteRate? { limit.flatMap { limit in steps.last { $0 > limit } } }
}
