import WinchModel

extension TransferState {
    /// What only the ledger wants to know.
    struct Record: Sendable {
        /// `nil` where nothing is kept.
        @PackedOptional var key: LedgerKey? = nil
        @PackedOptional var addedAt: UnixTime? = nil
        @HeapDefault private var attempted = Attempted()

        /// What one that was never tried has none of.
        private struct Attempted: Emptiable, Sendable {
            var attempts = 0
            var received = ByteCount.zero
            @PackedOptional var startedAt: UnixTime? = nil
            @PackedOptional var settledAt: UnixTime? = nil
            /// Milliseconds: a `Duration` has twice the bytes.
            var worked: Int64 = 0
            @HeapDefault var validator: Validator? = nil
            var wasFinished = false

            static let emptyBox = HeapBox(Self())

            var isEmpty: Bool {
                attempts == 0 && received == .zero && startedAt == nil && settledAt == nil && worked == 0
                    && _validator.isNil && !wasFinished
            }
        }

        /// Connections of earlier runs.
        var attempts: Int { attempted.attempts }
        /// Bytes that came over the network in all runs.
        var received: ByteCount {
            get { attempted.received }
            set { attempted.received = newValue }
        }
        var startedAt: UnixTime? {
            get { attempted.startedAt }
            set { if newValue != startedAt { attempted.startedAt = newValue } }
        }
        var settledAt: UnixTime? {
            get { attempted.settledAt }
            set { if newValue != settledAt { attempted.settledAt = newValue } }
        }
        /// On attempts and the waits between them, in earlier runs; of a finished one in all.
        var worked: Duration {
            get { .milliseconds(attempted.worked) }
            set { attempted.worked = max(0, newValue.nanoseconds / 1_000_000) }
        }
        /// As in `LedgerEntry`.
        var validator: Validator? {
            get { attempted.validator }
            set { if newValue != validator { attempted.validator = newValue } }
        }

        /// By an earlier run or attempt, with the file that is here: found unchanged, it is not finished by this one.
        var wasFinished: Bool {
            get { attempted.wasFinished }
            set { if newValue != wasFinished { attempted.wasFinished = newValue } }
        }

        init(key: LedgerKey? = nil) { self.key = key }

        init(_ past: LedgerEntry) {
            key = past.key
            addedAt = past.addedAt
            attempted.attempts = past.attempts
            received = max(.zero, past.received)
            startedAt = past.startedAt
            settledAt = past.settledAt
            worked = past.worked ?? .zero
            validator = past.validator
        }
    }

    /// Puts a new transfer where an earlier run left it. What the ledger cannot mean is read as the least it can.
    mutating func restore(_ past: LedgerEntry) {
        record = Record(past)
        if resume == nil, !past.name.isEmpty { name = past.name }
        warning = past.warning
        let known = past.size.known.flatMap { $0 >= .zero ? $0 : nil }
        switch past.standing {
        case .unfinished, .paused: learn(known)
        case .failed(let failure):
            learn(known)
            phase = .failed(failure)
            if case .exact = past.size, hasUnusablePart, let known {
                have = known
                size = .exact(known)
            }
        case .cancelled:
            (resume, have) = (nil, .zero)
            learn(known)
            phase = .cancelled
        case .finished(let outcome):
            resume = nil
            have = known ?? .zero
            size = .exact(have)
            name = outcome.path
            phase = .finished(outcome)
        }
    }

    /// As the row showed it; less than is there it cannot be.
    private mutating func learn(_ known: ByteCount?) {
        if let known, known >= have { size = .probed(known) }
    }

    /// It has failed by its hash, and there is a part of which another attempt could use nothing.
    private var hasUnusablePart: Bool {
        guard case .failed(.checksum) = phase else { return false }
        return spec.direction == .down && resume?.onDisk.isEmpty ?? false
    }

    /// It has failed by its hash, and what came lies on the disk, whole.
    var keepsWrongFile: Bool { if case .exact = size { hasUnusablePart } else { false } }

    /// The version of the file that is about to be finished, if a later run can learn only from the server whether that has
    /// another one. What a mirror calls its version means nothing at the first URL, which that run asks.
    var completeVersion: Validator? {
        guard spec.isOfTree, mirror == 0, spec.listedVersion?.tellsChange != true else { return nil }
        // Without a body the server has confirmed the file that was here; `resume` may be of an attempt before.
        return isVerifying ? resume?.validator : spec.finishedFile?.validator
    }

    /// What a later run would find.
    var standing: LedgerState {
        switch phase {
        case .waiting, .active, .verifying, .backoff: .unfinished
        case .paused: .paused
        case .finished(let outcome): .finished(outcome)
        case .failed(let failure): .failed(failure)
        case .cancelled: .cancelled
        }
    }
}

extension Validator: RarelyPresent { static let noneBox = HeapBox(Self?.none) }
