import CTerminal
import Glibc
import WinchModel
import WinchScreen

/// The use of the terminal by the dashboard: `enter` takes it; `leave`, the deinitializer or a crash restores it.
///
/// Only one may exist at a time in a process, used by one thread. It must be made before other threads start, since
/// `init` changes the process's environment for a moment.
package final class TerminalControl {
    /// Text is UTF-8 by the user's locale; otherwise only ASCII and `letters` can be shown.
    package let isUTF8: Bool
    /// The encoding of the locale if it is a single-byte one.
    let encoding: ByteEncoding
    package var letters: Set<Unicode.Scalar> { encoding.letters }
    package let colorDepth: ColorDepth
    package private(set) var size: ScreenSize
    let keys: KeySequences
    let device: TerminalDevice
    let extras: TerminalFeatures
    private var title: WindowTitle
    private let watchdog: Watchdog
    private let driver: CursesDriver
    /// The bytes that leave the screen without ncurses, for crashes.
    let emergencyExit: [UInt8]
    /// Resets the scroll region to the whole window; moves the cursor.
    private let marginsOff: [UInt8]
    /// The terminal may have a scroll region of an earlier size.
    private var hasOldMargins = false
    private let holdsErrors: Bool
    private var isEntered = false
    /// The terminal has a mouse by its terminfo entry. Such terminals know private modes and ignore those that they
    /// do not have; others, such as a real VT100, get only the sequences of their entry.
    private let hasMouse: Bool
    private let modesOff: [UInt8]
    /// Takes back colours and attributes; ncurses does so only where it believes that there are any.
    private let plainLook: [UInt8]
    /// Number of the transfers that waited for an answer of the user when the dashboard ended.
    package internal(set) var asking = 0
    /// Number of the transfers, and of the folders to be listed, that had not ended then.
    package internal(set) var unfinished = 0
    /// The terminal reports mouse events to the program; otherwise it handles them itself, for selecting text.
    package var capturesMouse = true {
        didSet {
            if isEntered, hasMouse, capturesMouse != oldValue {
                device.send(capturesMouse ? MouseReport.on : MouseReport.off)
            }
        }
    }

    /// Bracketed paste: pasted text comes between markers, so that it is not interpreted as keys.
    private static let pasteOn = Array("\u{1B}[?2004h".utf8)
    private static let pasteOff = Array("\u{1B}[?2004l".utf8)
    /// Focus reports: the terminal tells when the window gets or loses the keyboard focus.
    private static let focusOn = Array("\u{1B}[?1004h".utf8)
    private static let focusOff = Array("\u{1B}[?1004l".utf8)
    /// Synchronized output: the terminal draws everything between the two at once.
    private static let frameBegin = Array("\u{1B}[?2026h".utf8)
    private static let frameEnd = Array("\u{1B}[?2026l".utf8)

    /// - Parameters:
    ///   - output: the terminal, normally standard output; keys are read from it too, since standard input may be a
    ///     batch.
    ///   - holdsStandardError: output to standard error while the screen is shown is held back until it is left.
    /// - Throws: if there is no terminal, or it cannot show a screen.
    package init(
        output: Int32 = 1, traits: TerminalEnvironment = .fromEnvironment(), holdsStandardError: Bool = true
    ) throws(TerminalFailure) {
        device = try TerminalDevice(sharing: output)
        isUTF8 = winch_locale_adopt()
        encoding = ByteEncoding.ofLocale
        let entry = try TerminfoEntry(term: traits.term)
        guard entry.canShowScreen else { throw .incapable(traits.term) }
        let depth = ColorDepth(entry: entry, traits: traits)
        let size = device.size ?? .fallback
        driver = try Self.driver(for: entry, term: traits.term, depth: depth, size: size)
        colorDepth = depth
        self.size = size
        keys = KeySequences(entry: entry)
        hasMouse = entry.string("kmous") != nil
        extras = TerminalFeatures(traits: traits, entry: entry)
        title = WindowTitle(extras: extras)
        let modesOff =
            (extras.hasModes ? Self.frameEnd + Self.focusOff : [])
            + (hasMouse ? MouseReport.off + Self.pasteOff : [])
        self.modesOff = modesOff
        marginsOff = entry.string("csr") == nil ? [] : Array("\u{1B}[r".utf8)
        plainLook = ["sgr0", "op"].flatMap { entry.sequence($0) }
        // Without an alternate screen all is cleared: where the cursor stands, and how high the window is, is not known then.
        let exit = entry.string("rmcup") == nil ? "clear" : "rmcup"
        let looks = plainLook + ["cnorm", exit].flatMap { entry.sequence($0) }
        emergencyExit = [TerminalDevice.cancel] + modesOff + title.exitBytes + marginsOff + looks
        watchdog = Watchdog(device: device, exitBytes: emergencyExit)
        holdsErrors = holdsStandardError && isatty(STDERR_FILENO) == 1
    }

    deinit {
        leave()
    }

    private static func driver(
        for entry: TerminfoEntry, term: String, depth: ColorDepth, size: ScreenSize
    ) throws(TerminalFailure) -> CursesDriver {
        let before = getenv("TERMINFO").map { String(cString: $0) }
        setenv("TERMINFO", entry.repainted(isDirect: depth == .direct, size: size).inlined(name: term), 1)
        let driver = try? CursesDriver(term: term, size: size, depth: depth)
        if let before { setenv("TERMINFO", before, 1) } else { unsetenv("TERMINFO") }
        if let driver { return driver }
        // An ncurses without support for inline entries reads the entry of its database.
        return try CursesDriver(term: term, size: size, depth: min(depth, .indexed256))
    }

    /// Takes the terminal; the screen appears with the first frame.
    package func enter() {
        guard !isEntered else { return }
        isEntered = true
        CrashHandler.raise(device: device, exitBytes: emergencyExit, watchdog: watchdog, holdsErrors: holdsErrors)
        takeModes(title.taking)
        driver.invalidate()
        measure()
    }

    /// - Parameter keeping: the bytes that save the previous title; sent only once, since later the saved title would
    ///   be Winch's own.
    private func takeModes(_ keeping: [UInt8] = []) {
        watchdog.inform(isTaken: true)
        // This comes before any output: if the process is in the background, the kernel stops it here.
        device.makeRaw()
        title.forget()
        let mouseOn = hasMouse && capturesMouse ? MouseReport.on : []
        let pasteOn = hasMouse ? Self.pasteOn : []
        device.send(keeping + pasteOn + mouseOn + (extras.hasModes ? Self.focusOn : []))
    }

    /// Restores the terminal to the state before `enter`.
    ///
    /// - Returns: whether the terminal has taken the bytes that do so. Otherwise they are kept: the guardian restores the
    ///   terminal if this process ends now, the next `leave` sends them, and what `enter` sends comes after them.
    @discardableResult
    func leave(within timeout: Duration = TerminalDevice.endTimeout) -> Bool {
        guard isEntered else {
            guard device.hasUnsent else { return true }
            let isLeft = device.drain(within: timeout)
            if isLeft { watchdog.inform(isTaken: false) }
            return isLeft
        }
        isEntered = false
        device.releaseKeys()
        let ending = driver.end()
        // The rest of an unsent frame is dropped: on a slow line it would only delay the end. Without a frame since the
        // last `leave`, the unsent bytes are its own, which the terminal still needs.
        let isCut = !ending.isEmpty && device.hasUnsent
        if isCut { device.cutShort() }
        device.send((isCut ? plainLook : []) + modesOff + title.exitBytes + (ending.isEmpty ? [] : marginsOff + ending))
        let isLeft = device.drain(within: timeout)
        device.makeCooked()
        if isLeft { watchdog.inform(isTaken: false) }
        CrashHandler.lower()
        return isLeft
    }

    /// Shows a frame: one write, or none if nothing changed.
    func present(_ canvas: Canvas) {
        var bytes = driver.draw(canvas)
        guard !bytes.isEmpty else { return }
        if hasOldMargins { bytes = marginsOff + bytes }
        hasOldMargins = false
        device.send(extras.hasModes ? Self.frameBegin + bytes + Self.frameEnd : bytes)
    }

    /// Shows the run's progress in the window's title and the taskbar, if the terminal supports them.
    func present(title totals: QueueTotals) {
        let bytes = title.update(totals)
        if !bytes.isEmpty { device.send(bytes) }
    }

    func copy(_ text: String) throws(InvalidValue) {
        device.send(try Clipboard.sequence(copying: text, extras: extras))
    }

    /// Notifies a user who is not looking at the terminal.
    func notify(_ notice: Notice, _ text: String) {
        let words = String(text.unicodeScalars.filter { $0.properties.generalCategory != .control })
        let sequence =
            switch (notice, extras.notification) {
            case (.off, _): ""
            case (.desktop, .nine): "\u{1B}]9;\(words)\u{1B}\\"
            case (.desktop, .tripleSeven): "\u{1B}]777;notify;winch;\(words)\u{1B}\\"
            case (.bell, _), (.desktop, nil): "\u{07}"
            }
        device.send(Array(sequence.utf8))
    }

    /// How the user is notified when all transfers are settled.
    package enum Notice: String, Sendable, CaseIterable {
        /// `desktop` is the bell on a terminal without desktop notifications.
        case off, bell, desktop
    }

    func redraw() {
        driver.invalidate()
        hasOldMargins = true
    }

    /// Takes the terminal again after another process has used it.
    func retake() {
        guard isEntered else { return enter() }
        takeModes()
        redraw()
        measure()
    }

    /// Reads the terminal's size again. True if it has changed.
    @discardableResult
    func measure() -> Bool {
        guard let measured = device.size, measured != size else { return false }
        size = measured
        driver.resize(to: measured)
        // A scroll region that was set while the size changed belongs to the old size.
        hasOldMargins = true
        return true
    }
}

/// Why the dashboard cannot be shown; the caller uses another front end then.
package enum TerminalFailure: Error, Hashable, Sendable {
    case notATerminal
    /// The terminfo database does not know this value of `TERM`.
    case unknownTerminal(String)
    /// The database knows the terminal, but it cannot place the cursor or clear the screen.
    case incapable(String)
    /// There is no terminfo database at all.
    case noDatabase
    case system(call: String, code: Int32)

    /// One line for the user: what is wrong, and what to do.
    package var message: String {
        switch self {
        case .notATerminal: "\(reason); --output plain writes lines"
        case .unknownTerminal(""): "\(reason); set it, or use --output plain"
        case .unknownTerminal: "\(reason); set another, or use --output plain"
        case .incapable, .noDatabase, .system: "\(reason); use --output plain"
        }
    }

    package var reason: String {
        switch self {
        case .notATerminal: "standard output is not a terminal"
        case .unknownTerminal(""): "TERM is not set"
        case .unknownTerminal(let term): "TERM=\(PlainText(term)) is not known here"
        case .incapable(let term): "a terminal of type \(PlainText(term)) cannot show a dashboard"
        case .noDatabase: "there is no terminfo database (package ncurses-base)"
        case .system(let call, let code): "the terminal does not answer (\(call): error \(code))"
        }
    }

    /// True for `TERM=dumb`: it asks for lines instead of a screen, so that the failure need not be reported.
    package var isExpected: Bool { self == .incapable("dumb") }
}

/// The run's progress in the window's title and in the taskbar: numbers only, since names come from outside.
struct WindowTitle {
    private let extras: TerminalFeatures
    private var shown = ""
    private var shownProgress = Self.noProgress

    init(extras: TerminalFeatures) {
        self.extras = extras
    }

    /// The bytes that save the previous title.
    var taking: [UInt8] { extras.hasTitle ? Array("\u{1B}[22;0t".utf8) : [] }

    /// The bytes that restore the previous title and clear the taskbar.
    var exitBytes: [UInt8] {
        Array(((extras.hasTitle ? "\u{1B}[23;0t" : "") + (extras.hasTaskbar ? Self.noProgress : "")).utf8)
    }

    /// Called when another process has used the terminal: what it shows is unknown.
    mutating func forget() {
        shown = ""
        shownProgress = Self.noProgress
    }

    /// The bytes that update title and taskbar; empty if nothing has changed.
    mutating func update(_ totals: QueueTotals) -> [UInt8] {
        var text = ""
        let words = Self.words(totals)
        if extras.hasTitle, words != shown {
            shown = words
            text += "\u{1B}]0;\(words)\u{1B}\\"
        }
        let progress = Self.progress(totals)
        if extras.hasTaskbar, progress != shownProgress {
            shownProgress = progress
            text += progress
        }
        return Array(text.utf8)
    }

    private static func words(_ totals: QueueTotals) -> String {
        guard totals.count > 0 else { return "winch" }
        if totals.settled == totals.count {
            let failed = totals.failed > 0 ? ", \(totals.failed) failed" : ""
            return "winch: done \(totals.finished)/\(totals.count)\(failed)"
        }
        let share = "\(totals.settled)/\(totals.count)"
        return totals.percent.map { "winch: \($0)% \(share)" } ?? "winch: \(share)"
    }

    private static func progress(_ totals: QueueTotals) -> String {
        guard totals.count > 0, totals.settled < totals.count else { return noProgress }
        // Without a percentage the size is not known.
        guard let percent = totals.percent else { return sequence(state: 3, percent: 0) }
        if totals.failed > 0 { return sequence(state: 2, percent: percent) }
        let isPaused = totals.working == 0 && totals.paused > 0
        return sequence(state: isPaused ? 4 : 1, percent: percent)
    }

    private static let noProgress = sequence(state: 0, percent: 0)

    /// - Parameter state: 0: no progress, 1: usual, 2: error, 3: indeterminate, 4: paused.
    ///
    /// - Source: ConEmu: `OSC 9 ; 4 ; state ; percent ST`.
    private static func sequence(state: Int, percent: Int) -> String {
        "\u{1B}]9;4;\(state);\(percent)\u{1B}\\"
    }
}

/// Copies text to the clipboard of the user's terminal, also over a remote connection.
///
/// - Source: xterm control sequences, OSC 52.
enum Clipboard {
    /// Most bytes of a text; some terminals drop a longer one.
    private static let longest = 74_994

    static func sequence(copying text: String, extras: TerminalFeatures) throws(InvalidValue) -> [UInt8] {
        guard extras.hasClipboard else { throw InvalidValue("This terminal has no clipboard for programs") }
        let bytes = Array(text.utf8)
        guard bytes.count <= longest else { throw InvalidValue("Too long for the clipboard") }
        return Array("\u{1B}]52;c;\(Base64.encoded(bytes))\u{1B}\\".utf8)
    }
}
