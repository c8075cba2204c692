import WinchModel

/// What a failed transfer needs from the user before it can go on.
enum FailureQuestion: Hashable, Sendable {
    /// The user must confirm that the key belongs to the server.
    case hostKey(HostKey)
    case passphrase(keyFile: String)

    /// - Returns: `nil` for a failure that no answer of the user can resolve.
    init?(_ failure: TransferFailure) {
        switch failure {
        case .hostKeyUnknown(let key): self = .hostKey(key)
        case .keyLocked(let file, _): self = .passphrase(keyFile: file)
        default: return nil
        }
    }

    /// The question as a dialog.
    ///
    /// - Parameter failure: the failure that the question was made from.
    func inquiry(id: Int, after failure: TransferFailure) -> UserQuestion {
        switch self {
        case .hostKey(let key):
            let others = key.hasOtherType ? ["known_hosts has a key of another type for it"] : []
            return UserQuestion(
                id: id, title: "Host key", question: "The SSH server \(key.host) is not known. Is this its key?",
                details: others + ["\(key.typeName) key", key.fingerprint],
                kind: .choice([
                    UserQuestion.Answer(key: "y", words: "yes, and remember it"),
                    UserQuestion.Answer(key: "o", words: "yes, only this time"),
                    UserQuestion.Answer(key: "n", words: "no"),
                ]))
        case .passphrase(let file):
            let isWrong = if case .keyLocked(_, isWrong: true) = failure { true } else { false }
            return UserQuestion(
                id: id, title: "Passphrase",
                question: (isWrong ? "That passphrase is wrong. " : "") + "What is the passphrase of the key \(file)?",
                kind: .secret)
        }
    }
}

/// The questions that failed transfers have for the user. Equal questions of several transfers are asked once.
struct FailureQuestions: Hashable, Sendable {
    private var open: [Int: FailureQuestion] = [:]
    /// Questions that the user declined: another transfer with the same question does not ask it again.
    private var declined: Set<FailureQuestion> = []
    /// Questions that the user answered: a transfer that failed before it could know is tried again with the answer.
    private var answered: Set<FailureQuestion> = []
    private var count = 0

    /// - Returns: the question to ask because of a failure; `nil` if the failure needs no answer, or if its question
    ///   is open already or was declined or answered.
    mutating func inquiry(after failure: TransferFailure) -> UserQuestion? {
        guard let ask = FailureQuestion(failure), !declined.contains(ask), !open.values.contains(ask) else {
            return nil
        }
        if case .keyLocked(_, isWrong: true) = failure {} else if answered.contains(ask) { return nil }
        count += 1
        // Negative ids, because inquiries from outside the screen have ids from 0 up.
        open[-count] = ask
        return ask.inquiry(id: -count, after: failure)
    }

    /// Removes the open question with this inquiry id.
    ///
    /// - Returns: `nil` if the inquiry does not come from a failed transfer.
    mutating func take(_ id: Int) -> FailureQuestion? { open.removeValue(forKey: id) }

    mutating func decline(_ ask: FailureQuestion) { declined.insert(ask) }

    mutating func noteAnswer(to ask: FailureQuestion) { answered.insert(ask) }

    /// Called when transfers are retried: questions may be asked again.
    mutating func forget() { (declined, answered) = ([], []) }
}
