import WinchModel

/// Ten times a second.
extension Download {
    /// Puts on disk the bytes so far, and checks the disk, the time and the speed.
    ///
    /// - Returns: why the attempt ends.
    func check() -> TransferFailure? {
        do throws(TransferFailure) {
            try layDown()
            try body.flush()
        } catch {
            reportMoved()
            return error
        }
        makeCheckpoint()
        reportMoved()
        if case .fail(let failure)? = decision, !isDiscarding { return failure }
        if let failure = body.lookAtDisk(at: outbox.now) {
            hasher.giveUp()
            return failure
        }
        return speed.failure(at: outbox.now, isReceiving: phase.isReceiving)
    }

    /// The body of a refusal is read for a while, to keep the connection.
    private var isDiscarding: Bool {
        if case .discarding(_, let until?) = phase { outbox.now < until } else { false }
    }

    private func makeCheckpoint() {
        guard phase.isReceiving, let checkpoint = body.dueCheckpoint(of: request, for: inbox, at: outbox.now)
        else { return }
        files.finisher.write(checkpoint)
    }

    /// Puts a small body that has not come within a tick into a part.
    func layDown() throws(TransferFailure) {
        guard let bytes = body.takeMemory() else { return }
        try createPart()
        try body.append(bytes)
    }

    /// Makes a new part, which takes the bytes from now on.
    func createPart() throws(TransferFailure) {
        guard var target else { throw .other("no folder") }
        defer { self.target = target }
        body.use(try target.createPart(attributes))
    }
}
