import WinchModel

/// What a failed transfer needs from the user before it can go on.
enum FailureQuestion: Hashable, Sendable {
    case hostKey(SSHHostKey)
    case passphrase(keyFile: String)
    /// A user name and its password for this server, as in `TransferURL.origin`.
    case login(origin: String)
    /// The file is a folder, in which there may be files; `words`: `a folder of 214 files`.
    case folder(path: String, words: String)

    /// - Returns: `nil` for a failure that no answer of the user can resolve.
    init?(_ failure: TransferFailure) {
        switch failure {
        case .hostKeyUnknown(let key): self = .hostKey(key)
        case .keyLocked(let file, _): self = .passphrase(keyFile: file)
        // No user name and password help where neither can be sent.
        case .loginNeeded(_, .some): return nil
        case .loginNeeded, .loginRefused:
            guard let origin = failure.loginOrigin else { return nil }
            self = .login(origin: origin)
        default:
            guard let (path, words) = failure.unwantedFolder else { return nil }
            self = .folder(path: path, words: words)
        }
    }

    /// The question as a dialog.
    ///
    /// - Parameters:
    ///   - failure: the failure that the question was made from. It has no user name that was typed.
    ///   - users: the user names that were typed, by origin.
    func inquiry(id: Int, after failure: TransferFailure, users: [String: String]) -> UserQuestion {
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
            let name = file.split(separator: "/").last.map { String($0) } ?? "the key"
            return UserQuestion(
                id: id, title: "Passphrase of \(name)", subject: name,
                question: (isWrong ? "That passphrase is wrong. " : "") + "What is the passphrase of the key \(file)?",
                kind: .secret)
        case .login(let origin):
            let (refusal, user): (String, String) =
                if case .loginRefused(_, let recorded, _) = failure {
                    (recorded ?? users[origin]).map { ("The login of \($0) is refused. ", $0) }
                        ?? ("The login is refused. ", "")
                } else {
                    ("", "")
                }
            let host = Self.host(of: origin)
            return UserQuestion(
                id: id, title: "User name at \(host)", subject: host,
                question: refusal + "What is your user name at \(origin)?",
                kind: .line(user))
        case .folder(let path, let words):
            return UserQuestion(
                id: id, title: "Folder", subject: path, question: "\(path) is \(words). Download all that is in it?",
                kind: .yesOrNo)
        }
    }

    /// Short, so that it is seen in a window of one line to whom the answer goes.
    static func host(of origin: String) -> String { origin.split(separator: "/").last.map { String($0) } ?? "" }
}

/// The questions that failed transfers have for the user. Equal questions of several transfers are asked once.
struct FailureQuestions: Hashable, Sendable {
    private var open: [Int: FailureQuestion] = [:]
    /// Questions that the user declined: another transfer with the same question does not ask it again.
    private var declined: Set<FailureQuestion> = []
    /// Questions that the user answered: a transfer that failed before it could know is tried again with the answer.
    private var answered: Set<FailureQuestion> = []
    /// The user names that were typed, by origin.
    private(set) var users: [String: String] = [:]
    private var count = 0

    /// - Returns: the question to ask because of a failure; `nil` if the failure needs no answer, or if its question
    ///   is open already or was declined or answered.
    mutating func inquiry(after failure: TransferFailure) -> UserQuestion? {
        guard let ask = FailureQuestion(failure), !declined.contains(ask), !open.values.contains(ask) else {
            return nil
        }
        switch failure {
        // The answer itself was wrong.
        case .keyLocked(_, isWrong: true), .loginRefused: break
        default: if answered.contains(ask) { return nil }
        }
        count += 1
        open[count] = ask
        return ask.inquiry(id: count, after: failure, users: users)
    }

    /// The second half of the question for a login, after its user name.
    mutating func passwordInquiry(for user: String, at origin: String) -> UserQuestion {
        users[origin] = user
        count += 1
        open[count] = .login(origin: origin)
        let host = FailureQuestion.host(of: origin)
        return UserQuestion(
            id: count, title: "Password at \(host)", subject: host,
            question: "What is the password of \(user) at \(origin)?", kind: .secret)
    }

    /// Removes the open question with this inquiry id.
    ///
    /// - Returns: `nil` if there is none.
    mutating func take(_ id: Int) -> FailureQuestion? { open.removeValue(forKey: id) }

    var isEmpty: Bool { open.isEmpty }

    /// The transfer failed only because this question is not answered yet.
    func isOpen(_ phase: TransferPhase) -> Bool {
        guard case .failed(let failure) = phase, let ask = FailureQuestion(failure) else { return false }
        return open.values.contains(ask)
    }

    mutating func decline(_ ask: FailureQuestion) { declined.insert(ask) }

    mutating func noteAnswer(to ask: FailureQuestion) { answered.insert(ask) }

    /// Called when transfers are retried: questions may be asked again.
    mutating func forget() { (declined, answered) = ([], []) }
}

/// The transfers that failed only because a question is open. The queue counts them as failed; the screen shows them
/// as waiting.
struct AwaitingAnswer: Hashable, Sendable {
    private(set) var count = 0
    /// Their expected sizes, each at least 1, as of what lists a folder and is no file, and their bytes on disk.
    private var extent: Int64 = 0
    private var have: Int64 = 0

    init() {}

    init(_ board: QueueCopy, _ asks: FailureQuestions) {
        board.visit { row, _ in
            guard asks.isOpen(row.phase) else { return }
            count += 1
            // Sizes that servers claim may exceed the largest number together.
            let size = row.isListing ? 0 : row.size.guess.bytes
            extent = extent.saturatingAdd(max(1, size, row.have.bytes))
            have = have.saturatingAdd(max(0, row.have.bytes))
        }
    }

    /// The totals with them among the waiting instead of the failed.
    func applied(to given: QueueTotals) -> QueueTotals {
        guard count > 0 else { return given }
        var totals = given
        totals.failed = max(0, totals.failed - count)
        totals.waiting += count
        totals.endedAt = nil
        let isSimple = totals.mode == .simple
        totals.shares.failed = max(0, max(0, totals.shares.failed) - (isSimple ? Int64(count) : extent))
        if isSimple {
            totals.completed = max(0, max(0, totals.completed) - Int64(count))
        } else {
            totals.total = totals.total.saturatingAdd(extent - have)
        }
        totals.fraction = Fraction(completed: totals.completed, total: totals.total, allSettled: false).value
        return totals
    }
}
