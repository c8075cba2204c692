/// The bindings of keys to intents, with their words for the footer and the help. The dashboard's keys are defined
/// only here; panels have a few of their own.
struct KeyMap: Sendable {
    struct Binding: Hashable, Sendable {
        let intent: KeyAction
        let keys: [Key]
        /// For the help: a whole phrase.
        let words: String
        /// For the footer: a word or two; `nil`: not shown there.
        var hint: String?
        /// The condition under which the key has an effect.
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

    /// The condition for a key to have an effect; the footer shows only such keys.
    enum Condition: Hashable, Sendable {
        case always
        case selectedCanPause, selectedCanResume, selectedCanCancel, selectedCanRetry
        case selectedCanRemove, selectedCanMove, selectedCanChangeURL, anyTagged, anyUndoable
        case anyUnsettled, allPaused, anyFailed, anyFinished, anyRows
        case detailsOpen, detailsOpenCanChangeURL, detailsClosed
        case countsBytes, countsFiles
        /// The dashboard shows a run of its own process, or that of a session.
        case ownRun, attached
        /// The dashboard shows a fleet.
        case fleet
    }

    let bindings: [Binding]
    private let intents: [Key: KeyAction]

    init(_ bindings: [Binding]) {
        self.bindings = bindings
        let pairs = bindings.flatMap { binding in binding.keys.map { ($0, binding.intent) } }
        intents = Dictionary(pairs) { first, _ in first }
    }

    /// `nil` for a key without a binding.
    subscript(key: Key) -> KeyAction? { intents[key] }

    /// The bindings of a group, one per intent. Several bindings of an intent may share their keys if their
    /// conditions exclude each other.
    ///
    /// - Parameters:
    ///   - isAttached: the dashboard shows a session.
    ///   - isFleet: it shows a fleet.
    func bindings(of group: Group, isAttached: Bool, isFleet: Bool = false) -> [Binding] {
        var seen: Set<KeyAction> = []
        let others: [Condition] = isFleet ? [.ownRun, .attached] : [isAttached ? .ownRun : .attached, .fleet]
        return bindings.filter {
            $0.group == group && !$0.keys.isEmpty && !others.contains($0.applies)
                && !(isFleet && $0.intent.reasonAgainFleet != nil) && seen.insert($0.intent).inserted
        }
    }
}
