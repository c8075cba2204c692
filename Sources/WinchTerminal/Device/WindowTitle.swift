import WinchModel
import WinchScreen

/// The run's progress in the window's title and in the taskbar: numbers only, since names come from outside.
struct WindowTitle {
    private let extras: TerminalFeatures
    private var shown = ""
    private var taskbarProgress = TaskbarProgress.none

    /// What the taskbar shows.
    private enum TaskbarProgress: Hashable {
        case none
        case running(percent: Int)
        /// The size is not known.
        case busy
        case paused(percent: Int)
        case failed(percent: Int)

        /// - Source: ConEmu: `OSC 9 ; 4 ; state ; percent ST`.
        var sequence: String {
            let (state, percent) =
                switch self {
                case .none: (0, 0)
                case .running(let percent): (1, percent)
                case .failed(let percent): (2, percent)
                case .busy: (3, 0)
                case .paused(let percent): (4, percent)
                }
            return "\u{1B}]9;4;\(state);\(percent)\u{1B}\\"
        }
    }

    init(extras: TerminalFeatures) {
        self.extras = extras
    }

    /// The bytes that save the previous title.
    var taking: [UInt8] { extras.hasTitle ? Array("\u{1B}[22;0t".utf8) : [] }

    /// The bytes that restore the previous title and clear the taskbar.
    var exitBytes: [UInt8] {
        Array(((extras.hasTitle ? "\u{1B}[23;0t" : "") + (extras.hasTaskbar ? TaskbarProgress.none.sequence : "")).utf8)
    }

    /// Called when another process has used the terminal: what it shows is unknown.
    mutating func forget() {
        shown = ""
        taskbarProgress = .none
    }

    /// The bytes that update title and taskbar; empty if nothing has changed.
    mutating func update(_ totals: QueueTotals) -> [UInt8] {
        var text = ""
        let words = Self.words(totals)
        if extras.hasTitle, words != shown {
            shown = words
            text += "\u{1B}]0;\(words)\u{1B}\\"
        }
        let taskbarProgress = Self.taskbarProgress(totals)
        if extras.hasTaskbar, taskbarProgress != self.taskbarProgress {
            self.taskbarProgress = taskbarProgress
            text += taskbarProgress.sequence
        }
        return Array(text.utf8)
    }

    private static func words(_ totals: QueueTotals) -> String {
        guard totals.count > 0 else { return "winch" }
        let share = "\(totals.settled)/\(totals.count)"
        if totals.settled == totals.count { return "winch: done \(share)" }
        return totals.percent.map { "winch: \($0)% \(share)" } ?? "winch: \(share)"
    }

    private static func taskbarProgress(_ totals: QueueTotals) -> TaskbarProgress {
        guard totals.count > 0, totals.settled < totals.count else { return .none }
        guard let percent = totals.percent else { return .busy }
        if totals.failed > 0 { return .failed(percent: percent) }
        if totals.working == 0, totals.paused > 0 { return .paused(percent: percent) }
        return .running(percent: percent)
    }
}
