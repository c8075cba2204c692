import WinchCore

/// What a failed transfer needs from the user before it can go on.
enum Ask: Hashable, Sendable {
    /// Whether the key is the server's.
    case hostKey(HostKey)
    case passphrase(keyFile: String)

    /// - Returns: `nil` for a failure that no answer mends.
    init?(_ failure: TransferFailure) {
        switch failure {
        case .hostKeyUnknown(let key): self = .hostKey(key)
        case .keyLocked(let file, _): self = .passphrase(keyFile: file)
        default: return nil
        }
    }

    /// - Parameter failure: the one that it came from.
    func inquiry(id: Int, after failure: TransferFailure) -> Inquiry {
        switch self {
        case .hostKey(let key):
            let others = key.hasOtherType ? ["known_hosts has a key of another type for it"] : []
            return Inquiry(
                id: id, title: "Host key", question: "The SSH server \(key.host) is not known. Is this its key?",
                details: others + ["\(key.typeName) key", key.fingerprint],
                kind: .choice([
                    Inquiry.Answer(key: "y", words: "yes, and remember it"),
                    Inquiry.Answer(key: "o", words: "yes, only this time"), Inquiry.Answer(key: "n", words: "no"),
                ]))
        case .passphrase(let file):
            let isWrong = if case .keyLocked(_, isWrong: true) = failure { true } else { false }
            return Inquiry(
                id: id, title: "Passphrase",
                question: (isWrong ? "That passphrase is wrong. " : "") + "What is the passphrase of the key \(file)?",
                kind: .secret)
        }
    }
}

/// Questions that transfers have for the user.
struct Asks: Hashable, Sendable {
    private var open: [Int: Ask] = [:]
    /// The user said no: the other transfers of the server do not ask again.
    private var declined: Set<Ask> = []
    private var count = 0

    /// - Returns: what is to be asked because of a failure; `nil` when it is asked already, or was declined.
    mutating func inquiry(after failure: TransferFailure) -> Inquiry? {
        guard let ask = Ask(failure), !declined.contains(ask), !open.values.contains(ask) else { return nil }
        count += 1
        // Inquiries from outside of the screen have ids from 0 up.
        open[-count] = ask
        return ask.inquiry(id: -count, after: failure)
    }

    /// - Returns: `nil` when the inquiry came from elsewhere.
    mutating func take(_ id: Int) -> Ask? { open.removeValue(forKey: id) }

    mutating func decline(_ ask: Ask) { declined.insert(ask) }

    /// Transfers are tried again: they may ask again.
    mutating func forgetDeclined() { declined = [] }
}
