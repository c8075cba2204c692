/// Which key means what, with the words that the footer and the help are made of. The only place that knows keys.
struct KeyMap: Sendable {
    struct Binding: Hashable, Sendable {
        let intent: Intent
        let keys: [Key]
        /// For the help: a whole phrase.
        let words: String
        /// For the footer: a word or two; `nil`: not shown there.
        var hint: String?
        /// When pressing it would do something.
        var applies: Condition = .always
        let group: Group
    }

    /// A heading of the help.
    enum Group: String, CaseIterable, Sendable {
        case transfer = "Selected or tagged"
        case queue = "All downloads"
        case list = "The list"
        case program = "Winch"
        case move = "Move"
    }

    /// What must be so for a key to act; asked for the footer.
    enum Condition: Hashable, Sendable {
        case always
        case selectedCanPause, selectedCanResume, selectedCanCancel, selectedCanRetry
        case selectedCanRemove, selectedCanMove, selectedCanChangeURL, anyTagged, anyUndoable
        case anyUnsettled, allPaused, anyFailed, anyFinished, anyRows
        case detailsOpen, detailsOpenCanChangeURL, detailsClosed
        case countsBytes, countsFiles
    }

    let bindings: [Binding]
    private let intents: [Key: Intent]

    init(_ bindings: [Binding]) {
        self.bindings = bindings
        let pairs = bindings.flatMap { binding in binding.keys.map { ($0, binding.intent) } }
        intents = Dictionary(pairs) { first, _ in first }
    }

    /// `nil` for a key that means nothing here.
    subscript(key: Key) -> Intent? { intents[key] }

    /// Two bindings may share their keys, when one applies only where the other does not: both then have one intent.
    func bindings(of group: Group) -> [Binding] {
        var seen: Set<Intent> = []
        return bindings.filter { $0.group == group && !$0.keys.isEmpty && seen.insert($0.intent).inserted }
    }
}
