import WinchModel
import WinchTerminal

/// What a hook is told of the event: environment variables whose names begin with `WINCH_HOOK_`.
struct HookVariables {
    /// `WINCH_HOOK_FILE=/srv/disk.iso`, in the order in which the manual page lists them.
    private(set) var lines: [String] = []

    /// The beginning of all names. No setting has it.
    static let prefix = "WINCH_HOOK_"

    /// - Parameter home: where the folders of transfers begin when they are relative.
    init(_ call: HookCall, home: WorkingFolder) {
        set("EVENT", call.name.dropFirst(3))
        set("ID", call.id.number)
        set("URL", call.url)
        set("DIRECTION", call.direction == .up ? "up" : "down")
        let folder = home.absolute(call.folder)
        if call.direction == .down { set("FOLDER", folder) }
        set("FILE", call.direction == .down ? WorkingFolder(folder).absolute(call.path) : home.absolute(call.path))
        set("BYTES", call.have.bytes)
        switch call.event {
        case .done(let outcome): set("OUTCOME", outcome.word)
        case .failed(let failure):
            set("ERROR", PlainText(failure.message))
            set("CODE", failure.exitCode)
        }
    }

    /// All transfers have ended.
    init(settled totals: QueueTotals) {
        set("EVENT", "settled")
        set("DONE", totals.finished)
        set("FAILED", totals.failed)
        set("CANCELLED", totals.cancelled)
        set("BYTES", totals.bytesDone)
    }

    private mutating func set(_ name: String, _ value: some CustomStringConvertible) {
        // A C string ends at its first NUL.
        lines.append("\(Self.prefix)\(name)=\(value)".filter { $0 != "\0" })
    }
}

extension HookCall {
    /// The option's name.
    var name: String {
        switch event {
        case .done: "on-done"
        case .failed: "on-fail"
        }
    }
}
