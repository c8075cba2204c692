import WinchModel

/// What the attempts at a transfer have come to so far. One that waits for its first has none of this.
package struct AttemptHistory: Emptiable, Sendable {
    /// Attempts since bytes last came.
    var tries = 0
    /// Why the last attempt failed; `nil` when it did not, or when it counts no more.
    var lastFailure: TransferFailure?
    /// Bytes on disk when the attempt began: an attempt that went beyond made progress.
    var haveAtStart = ByteCount.zero
    /// The most bytes that ever were on disk.
    var largestHave = ByteCount.zero
    /// Of the complete body, hashed.
    var verified: ByteCount?
    /// The user replaced the address that the kept bytes came from.
    var hasNewAddress = false
    /// The server of the last answer does not offer parts of the file.
    var cannotContinue = false
    /// Mirrors that failed for good.
    var failedMirrors: Set<Int> = []
    /// Mirrors that failed since the last wait.
    var triedMirrors: Set<Int> = []
    /// When each mirror that asked for patience may be asked again.
    var earliestRetry: [Int: Moment] = [:]
    /// Times in a row that its host refused it for the number of its connections.
    var consecutiveRefusals = 0
    /// When each mirror refused it last, if it has brought nothing since.
    var refusedAt: [Int: Moment] = [:]
    /// Since when every attempt has failed for want of the network, and how many have.
    var networkLost: Moment?
    var timesWithoutNetwork = 0
    /// The file system of its folder, in the queue's list.
    var disk: Int?
    /// Time used by attempts and waits before `clockStarted`, for `--max-time`.
    var timeSpent = Duration.zero
    var clockStarted: Moment?
    /// What `timeSpent` came to before the user tried it again.
    var spentBefore = Duration.zero

    init() {}

    static let emptyBox = HeapBox(Self())

    /// Whether it is as before the first attempt.
    var isEmpty: Bool {
        tries == 0 && lastFailure == nil && haveAtStart == .zero && largestHave == .zero && verified == nil
            && !hasNewAddress && !cannotContinue && failedMirrors.isEmpty && triedMirrors.isEmpty
            && earliestRetry.isEmpty
            && consecutiveRefusals == 0 && refusedAt.isEmpty && networkLost == nil && timesWithoutNetwork == 0
            && disk == nil && timeSpent == .zero && clockStarted == nil && spentBefore == .zero
    }

    /// Counts the attempts in a row that failed for want of the network.
    mutating func noteNetwork(isAway: Bool, at now: Moment) {
        guard isAway else {
            (networkLost, timesWithoutNetwork) = (nil, 0)
            return
        }
        networkLost = networkLost ?? now
        timesWithoutNetwork += 1
    }

    /// The user tries it again: what went wrong before counts no more.
    mutating func resetForRetry() {
        var next = AttemptHistory()
        (next.haveAtStart, next.largestHave) = (haveAtStart, largestHave)
        next.spentBefore = spentBefore + timeSpent
        (next.verified, next.hasNewAddress, next.disk) = (verified, hasNewAddress, disk)
        self = next
    }
}
