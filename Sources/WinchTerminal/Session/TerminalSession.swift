import CTerminal
import Glibc
import WinchCore
public import WinchScreen

/// The time in which the terminal is ours: it is taken by `enter`, and given back as it was by `leave`, by the end of
/// the session, and by a crash.
///
/// One at a time in a process, used by one thread. Made before other threads start: making it touches the environment
/// for a moment.
public final class TerminalSession {
    /// Text is UTF-8 by the person's locale; otherwise only ASCII can be shown, and `letters`.
    public let isUTF8: Bool
    /// Of an encoding of one byte.
    let encoding: ByteEncoding
    public var letters: Letters { encoding.letters }
    public let colorDepth: ColorDepth
    public private(set) var size: ScreenSize
    /// The sequences of this terminal's keys.
    let keys: KeySequences
    let device: TerminalDevice
    let extras: TerminalExtras
    private var title: WindowTitle
    private let guardian: Guardian
    private let driver: CursesDriver
    /// What leaves the screen when there is no time to ask ncurses.
    private let emergencyExit: [UInt8]
    /// Makes the whole window scroll again, and leaves the cursor anywhere.
    private let marginsOff: [UInt8]
    private var hasOldMargins = false
    private let holdsErrors: Bool
    private var isEntered = false
    /// The terminal has a mouse, by its description. Then it is one of those that know private modes and pass over what
    /// they do not have; others, real VT100s among them, get nothing beyond their description.
    private let hasMouse: Bool
    private let modesOff: [UInt8]
    /// Clicks come to the program; otherwise they are the terminal's own, for selecting text.
    public var capturesMouse = true {
        didSet {
            if isEntered, hasMouse, capturesMouse != oldValue {
                device.send(capturesMouse ? MouseReport.on : MouseReport.off)
            }
        }
    }

    /// Paste comes between marks, so that it is not taken for keys.
    private static let pasteOn = Array("\u{1B}[?2004h".utf8)
    private static let pasteOff = Array("\u{1B}[?2004l".utf8)
    /// Tells when the window gets the keyboard and when it loses it.
    private static let focusOn = Array("\u{1B}[?1004h".utf8)
    private static let focusOff = Array("\u{1B}[?1004l".utf8)
    /// What comes between them is drawn at once.
    private static let frameBegin = Array("\u{1B}[?2026h".utf8)
    private static let frameEnd = Array("\u{1B}[?2026l".utf8)
    /// For the last bytes to a terminal that does not take them.
    private static let patience = Duration.milliseconds(500)

    /// - Parameters:
    ///   - output: the terminal, as a rule standard output; keys are read from it too, since standard input may be a batch.
    ///   - holdsStandardError: what is written to standard error while the screen is up is shown after it.
    /// - Throws: when there is no terminal, or none that can show a screen; another face has to do then.
    public init(
        output: Int32 = 1, traits: TerminalTraits = .fromEnvironment(), holdsStandardError: Bool = true
    ) throws(TerminalFailure) {
        device = try TerminalDevice(sharing: output)
        isUTF8 = winch_locale_adopt()
        encoding = ByteEncoding.ofLocale
        let entry = try TerminfoEntry(term: traits.term)
        guard entry.canShowScreen else { throw .incapable(traits.term) }
        let depth = ColorDepth(entry: entry, traits: traits)
        let size = device.size ?? .usual
        driver = try Self.driver(for: entry, term: traits.term, depth: depth, size: size)
        colorDepth = depth
        self.size = size
        keys = KeySequences(entry: entry)
        hasMouse = entry.string("kmous") != nil
        extras = TerminalExtras(traits: traits, entry: entry)
        title = WindowTitle(extras: extras)
        let modesOff =
            (extras.hasModes ? Self.frameEnd + Self.focusOff : [])
            + (hasMouse ? MouseReport.off + Self.pasteOff : [])
        self.modesOff = modesOff
        marginsOff = entry.string("csr") == nil ? [] : Array("\u{1B}[r".utf8)
        // It takes the cursor home: leaving the screen brings it back, or else it is kept.
        let cursor = entry.string("rmcup") == nil && !marginsOff.isEmpty ? ("\u{1B}7", "\u{1B}8") : ("", "")
        let margins = Array(cursor.0.utf8) + marginsOff + Array(cursor.1.utf8)
        let looks = ["sgr0", "op", "cnorm", "rmcup"].flatMap { entry.sequence($0) }
        emergencyExit = [TerminalDevice.cancel] + modesOff + title.leaving + margins + looks
        guardian = Guardian(device: device, leaving: emergencyExit)
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
        // A library that reads no inline entry has its own at least.
        return try CursesDriver(term: term, size: size, depth: min(depth, .indexed256))
    }

    /// Takes the terminal; the screen appears with the first frame.
    public func enter() {
        guard !isEntered else { return }
        isEntered = true
        CrashGuard.raise(device: device, leaving: emergencyExit, guardian: guardian, holdsErrors: holdsErrors)
        takeModes(title.taking)
        driver.invalidate()
        measure()
    }

    /// - Parameter keeping: what keeps the title that was there; to be sent once, or the next title kept would be our own.
    private func takeModes(_ keeping: [UInt8] = []) {
        guardian.tell(isTaken: true)
        // Before anything is written: in the background the kernel stops us here.
        device.makeRaw()
        title.forget()
        let mouseOn = hasMouse && capturesMouse ? MouseReport.on : []
        let pasteOn = hasMouse ? Self.pasteOn : []
        device.send(keeping + pasteOn + mouseOn + (extras.hasModes ? Self.focusOn : []))
    }

    /// Gives the terminal back as it was found.
    public func leave() {
        guard isEntered else { return }
        isEntered = false
        // On a slow line nobody needs the rest of a frame any more.
        device.cutShort()
        let ending = driver.end()
        device.send(modesOff + title.leaving + (ending.isEmpty ? [] : marginsOff + ending))
        let isLeft = device.drain(within: Self.patience)
        device.makeCooked()
        CrashGuard.lower()
        // What the terminal has not taken by now, the guardian sees to once we are gone.
        if isLeft || device.isGone { guardian.tell(isTaken: false) }
    }

    /// Shows a frame: one write, or none if nothing changed.
    func present(_ canvas: Canvas) {
        var bytes = driver.draw(canvas)
        guard !bytes.isEmpty else { return }
        if hasOldMargins { bytes = marginsOff + bytes }
        hasOldMargins = false
        device.send(extras.hasModes ? Self.frameBegin + bytes + Self.frameEnd : bytes)
    }

    /// Shows the run in the window's title and the taskbar, where the terminal has them.
    func present(title totals: QueueTotals) {
        let bytes = title.update(totals)
        if !bytes.isEmpty { device.send(bytes) }
    }

    /// Puts text on the person's clipboard, where the terminal allows it.
    func copy(_ text: String) throws(Clipboard.Refusal) {
        device.send(try Clipboard.sequence(copying: text, extras: extras))
    }

    /// Calls a person who looks elsewhere.
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

    /// How a person wants to be called when everything is settled.
    public enum Notice: String, Sendable, CaseIterable {
        /// `desktop` is the bell where the terminal has nothing better.
        case off, bell, desktop
    }

    /// The next frame is drawn whole.
    func redraw() {
        driver.invalidate()
        hasOldMargins = true
    }

    /// Takes the terminal once more after somebody else has had it.
    func retake() {
        guard isEntered else { return enter() }
        takeModes()
        redraw()
        measure()
    }

    /// Asks for the size anew. True if it is another one.
    @discardableResult
    func measure() -> Bool {
        guard let measured = device.size, measured != size else { return false }
        size = measured
        driver.resize(to: measured)
        // What scrolled part of the window while its size changed has set margins that are for another size.
        hasOldMargins = true
        return true
    }
}
