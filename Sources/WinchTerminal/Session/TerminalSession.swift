import CTerminal
import Glibc
import WinchScreen

/// The time in which the terminal is ours: it is taken by `enter`, and given back as it was by `leave`, by the end of
/// the session, and by a crash.
///
/// One at a time in a process, used by one thread. Made before other threads start: making it touches the environment
/// for a moment.
public final class TerminalSession {
    /// Text is UTF-8 by the person's locale; otherwise only ASCII can be shown.
    public let isUTF8: Bool
    public let colorDepth: ColorDepth
    public private(set) var size: ScreenSize
    /// The sequences of this terminal's keys.
    let keys: KeySequences
    let device: TerminalDevice
    private let driver: CursesDriver
    /// What leaves the screen when there is no time to ask ncurses.
    private let emergencyExit: [UInt8]
    private let holdsErrors: Bool
    private var isEntered = false

    /// Paste comes between marks, so that it is not taken for keys.
    private static let pasteOn = Array("\u{1B}[?2004h".utf8)
    private static let pasteOff = Array("\u{1B}[?2004l".utf8)
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
        let entry = try TerminfoEntry(term: traits.term)
        guard entry.canShowScreen else { throw .incapable(traits.term) }
        let depth = ColorDepth(entry: entry, traits: traits)
        let size = device.size ?? .usual
        driver = try Self.driver(for: entry, term: traits.term, depth: depth, size: size)
        colorDepth = depth
        self.size = size
        keys = KeySequences(entry: entry)
        emergencyExit = Self.pasteOff + ["sgr0", "op", "cnorm", "rmcup"].flatMap { entry.sequence($0) }
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
        CrashGuard.raise(device: device, leaving: emergencyExit, holdsErrors: holdsErrors)
        device.makeRaw()
        driver.invalidate()
        device.send(Self.pasteOn)
        measure()
    }

    /// Gives the terminal back as it was found.
    public func leave() {
        guard isEntered else { return }
        isEntered = false
        device.send(Self.pasteOff + driver.end())
        device.drain(within: Self.patience)
        device.makeCooked()
        CrashGuard.lower()
    }

    /// Shows a frame: one write, or none if nothing changed.
    func present(_ canvas: Canvas) {
        let bytes = driver.draw(canvas)
        if !bytes.isEmpty { device.send(bytes) }
    }

    /// Puts text on the person's clipboard, where the terminal allows it. False for text that is too long for it.
    func copy(_ text: String) -> Bool {
        guard let sequence = Clipboard.sequence(copying: text) else { return false }
        device.send(sequence)
        return true
    }

    /// The next frame is drawn whole.
    func redraw() {
        driver.invalidate()
    }

    /// Takes the terminal once more after somebody else has had it.
    func retake() {
        guard isEntered else { return enter() }
        device.makeRaw()
        device.send(Self.pasteOn)
        redraw()
        measure()
    }

    /// Asks for the size anew. True if it is another one.
    @discardableResult
    func measure() -> Bool {
        guard let measured = device.size, measured != size else { return false }
        size = measured
        driver.resize(to: measured)
        return true
    }
}
