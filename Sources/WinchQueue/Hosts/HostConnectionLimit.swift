import WinchModel

/// How many connections one host is asked for at a time: learned from how it answers.
///
/// A host that has not answered yet gets one; while it lets all of them in, their number doubles. A host that refuses gets half
/// as many, soon again as many as it has answered at one time, and beyond that one more now and then. So one that allows k
/// refuses at most k.
///
/// A host that refuses although fewer are open than it has answered together may limit requests per second: nothing is
/// started there for a pause, which doubles with each such refusal and gets a quarter shorter with each transfer served.
struct HostConnectionLimit: Hashable, Sendable {
    /// Connections at a time that are tried now, at least 1.
    private(set) var window: Int
    /// Transfers whose connections it refused while others were open, and that were not found to be refused at all times.
    private var refused: Set<TransferID> = []
    /// The window before the first of these.
    private var windowBefore = 0
    private(set) var hasAnswered = false
    /// When it last served a transfer, and which: it sent a body, not an error.
    private(set) var servedAt: Moment?
    private var lastServed: TransferID?
    /// The transfer that it refused last, for whatever reason.
    var lastRefused: TransferID?
    /// The pause after the next refusal is twice as long; zero: it has served enough since.
    private var pause = Duration.zero
    private var pausedAt: Moment?
    /// Pauses since it last served a transfer.
    private var pausesInRow = 0
    /// Nothing is started before: the host asked for patience.
    private(set) var closedUntil: Moment?
    /// The most connections at a time that it has answered.
    private(set) var proven = 0
    /// Refusals below `proven` since it was last reached.
    private var refusalsBelowProven = 0
    /// Connections answered since the window last changed.
    private var answers = 0
    /// When the window last changed after a refusal.
    private var changedAt: Moment?
    /// The window is beyond what was proven.
    private var isTrying = false
    private var trialInterval = firstTrialInterval
    /// When the last connection was begun.
    private var lastStart: Moment?

    /// A host that gives no answer for so long is at work on one request: more are tried without the answer.
    static let longestSilence = Duration.milliseconds(500)
    /// A host that has refused for a moment gets back what it took before, one by one, though no new transfer asks it: those that
    /// wait must not wait for the end of the one long transfer that runs.
    static let recovery = Duration.seconds(5)
    /// From one trial of one connection more to the next; four times as long after each that failed.
    static let firstTrialInterval = Duration.seconds(120)
    private static let longestTrialInterval = Duration.seconds(3600)
    /// So many rounds must have gone well before one more is tried.
    private static let goodRounds = 10
    /// A server that allows ten requests a second has room for the next after this.
    static let firstPause = Duration.milliseconds(100)
    /// Longer pauses would hold back a list whose host serves nothing for now.
    static let longestPause = Duration.milliseconds(3200)
    /// After so many pauses without a transfer served the host serves nothing: 3 s.
    static let mostPausesInRow = 5
    private static let smallRounds = 2
    private static let widest = Command.mostSlots

    init(window: Int) { self.window = max(1, window) }

    /// It has refused connections while others were open.
    var hasRefused: Bool { !refused.isEmpty }

    /// Still doubling, as nothing was refused; or on its way back to what it has answered before.
    func isGrowing(upTo most: Int) -> Bool { window < (hasRefused ? min(most, proven) : most) }

    /// When it widens by itself.
    var growsAt: Moment? {
        guard hasRefused else { return lastStart.map { $0 + Self.longestSilence } }
        return changedAt.map { $0 + Self.recovery }
    }

    mutating func started(at now: Moment) { lastStart = now }

    /// A connection brought an answer, whatever that was.
    ///
    /// - Parameter together: connections that are answered and open now, this one included.
    mutating func answered(together: Int, at now: Moment) {
        hasAnswered = true
        answers += 1
        if together >= proven {
            if together > proven, isTrying { (isTrying, trialInterval) = (false, Self.firstTrialInterval) }
            (proven, refusalsBelowProven) = (together, 0)
        }
        if !hasRefused {
            window = min(Self.widest, max(window, 2 * together))
            // Small files are over before the next is answered: they show little, and open it little by little.
            if answers >= Self.smallRounds * window { (window, answers) = (min(Self.widest, window + 1), 0) }
        } else if window < proven {
            widen(at: now)
        } else if !isTrying, answers >= Self.goodRounds * window, let changedAt, now - changedAt >= trialInterval {
            isTrying = true
            widen(at: now)
        }
    }

    /// No answer for a while, and no refusal.
    mutating func noteSilence(at now: Moment) {
        guard !hasRefused else { return widen(at: now) }
        window = min(Self.widest, 2 * window)
        lastStart = now
    }

    /// It has refused since it last served a transfer, though fewer connections were open than it has answered together.
    var hasRefusedInRow: Bool { pausesInRow > 0 }

    /// It serves other transfers than this one: it has, and has not refused for long since.
    func servesOthers(than id: TransferID) -> Bool {
        (lastServed.map { $0 != id } ?? false) && pausesInRow < Self.mostPausesInRow
    }

    /// Since it refused this transfer it has served one and refused another: it limits requests, and so slowly that the refusals of
    /// one file in a row say nothing of that file.
    func rationsOthers(than id: TransferID, since refusal: Moment) -> Bool {
        lastRefused != id && (servedAt.map { $0 > refusal } ?? false)
    }

    /// A connection was refused.
    ///
    /// - Parameters:
    ///   - others: connections open besides.
    ///   - begun: when the refused attempt began; one from before the last change says nothing new.
    mutating func refused(_ id: TransferID, beside others: Int, begun: Moment, at now: Moment) {
        if others < proven, pausedAt.map({ begun > $0 }) ?? true {
            pause = min(Self.longestPause, max(Self.firstPause, pause * 2))
            pausesInRow += 1
            pausedAt = now
            close(until: now + pause)
        }
        guard others > 0 else { return }
        if refused.isEmpty { windowBefore = window }
        refused.insert(id)
        hasAnswered = true
        answers = 0
        if let changedAt, begun <= changedAt { return }
        if isTrying { (isTrying, trialInterval) = (false, min(Self.longestTrialInterval, trialInterval * 4)) }
        // One refusal below what was proven may be a connection that the host had not yet seen end.
        if others < proven {
            refusalsBelowProven += 1
            if refusalsBelowProven > 1 { (proven, refusalsBelowProven) = (max(1, proven - 1), 0) }
        }
        window = max(1, min(window, others + 1) / 2)
        changedAt = now
    }

    /// A further connection of a file was refused while so many were let in: their number is what the host takes.
    mutating func refusedFurther(_ id: TransferID, beside accepted: Int, at now: Moment) {
        if refused.isEmpty { windowBefore = window }
        refused.insert(id)
        hasAnswered = true
        answers = 0
        window = max(1, min(window, accepted))
        (proven, changedAt) = (max(1, min(proven, window)), now)
    }

    /// The transfer is refused whatever else is open: what was concluded from it is taken back, unless others were refused
    /// as well.
    mutating func withdrawRefusal(of id: TransferID) {
        guard refused.remove(id) != nil, refused.isEmpty else { return }
        window = max(window, windowBefore)
        (changedAt, isTrying, trialInterval) = (nil, false, Self.firstTrialInterval)
    }

    mutating func served(_ id: TransferID, at now: Moment) {
        (lastServed, servedAt, pausesInRow) = (id, now, 0)
        pause = pause > Self.firstPause ? pause * 3 / 4 : .zero
    }

    mutating func close(until moment: Moment) { closedUntil = max(moment, closedUntil ?? moment) }

    mutating func open() { closedUntil = nil }

    private mutating func widen(at now: Moment) {
        window = min(Self.widest, window + 1)
        answers = 0
        changedAt = now
    }
}

/// What counts as a sign that a host takes no more connections.
///
/// `RetryPolicy` decides with it how an attempt is treated, `SplitController` how many connections a file gets, and
/// `HostConnectionLimit` how many the host is asked for.
enum TooManyConnections {
    /// A host that takes no more connections answers so: 429, 503, FTP's 421 and its kind, or no connection at all.
    static func isSign(_ failure: TransferFailure) -> Bool {
        switch failure {
        case .httpStatus(429), .httpStatus(503), .unreachable, .serverBusy: true
        default: false
        }
    }

    /// A 429 is about the client, whatever else is open and whichever URL it asked for.
    static func isSignOfClientLimit(_ failure: TransferFailure) -> Bool { failure == .httpStatus(429) }

    /// The refusal says nothing of how much the host takes, and nothing is concluded from it for the host: others are
    /// served there since it refused this URL before.
    ///
    /// A 429 is about the client and a refused connection about the host, whatever the URL. A first 503 may be as well: a
    /// host that takes no more answers it to many URLs, once each.
    static func isOfURL(_ failure: TransferFailure, areOthersServed: Bool) -> Bool {
        failure == .httpStatus(503) && areOthersServed
    }

    /// The refusal is the URL's own fault, and costs it a try.
    ///
    /// - Parameter timesSingledOut: see `RetryPolicy.Attempt`. A server that sees the end of a connection late, or limits
    ///   requests per second, may well refuse a file twice.
    static func isURLsFault(_ failure: TransferFailure, timesSingledOut: Int) -> Bool {
        failure == .httpStatus(503) && timesSingledOut >= 3
    }
}

extension SplitRefusal {
    /// It is about the number of connections; another status, such as 404, is about this URL.
    var isOfHost: Bool {
        switch self {
        case .status(let code): code == 403 || code == 429 || code == 503
        case .noConnection: true
        case .silence: false
        }
    }
}
