/// An event that the transport reports about one connection, or about the file whose body that connection brought. Reports of
/// one connection arrive in the order of the events.
package struct TransportReport: Sendable {
    package var connection: ConnectionID
    package var at: Moment
    package var event: TransportEvent

    package var id: TransferID { connection.transfer }

    package init(_ connection: ConnectionID, at: Moment, event: TransportEvent) {
        (self.connection, self.at, self.event) = (connection, at, event)
    }
}

/// One event of a connection or a file.
///
/// What is large is indirect: a report is copied a dozen times on its way from the connection to the queue.
package enum TransportEvent: Hashable, Sendable {
    /// The connection is established and the request has been sent. A connection that asks for another range of its file
    /// reports it once more.
    case requested
    /// The head of the response has arrived, and it is neither a redirect nor a request for a login.
    indirect case connected(ConnectionFacts)
    /// The expected digests of the body. Reported again when a trailer after the body adds one, or a Metalink that the responses
    /// name.
    /// - Parameter pieces: the hashes of the file's pieces, by that Metalink.
    case demanded([ExpectedChecksum], pieces: PieceHashes? = nil)
    /// The responses name these mirrors, those to be used first in front, and a Metalink that describes the file. None has a
    /// login, and all are encrypted if the request's URL is. Reported before `opened`.
    indirect case mirrors([TransferURL], metalink: TransferURL?)
    /// A redirect to this URL, from which the login is removed.
    indirect case redirected(String, status: Int = 302)
    /// The headers of the body have arrived and the part file is open at `offset`.
    indirect case opened(Opening)
    /// These bytes of the file have come over the connection since its last report and are on disk; about ten times a second.
    /// A connection that asked for a range first reports an empty one at its start, when it is let in.
    /// - Parameter of: the chunk that the connection works on, from the start of its request to where it will end.
    case moved(Range<Int64>, of: Range<Int64>)
    /// No range of the file is worth another request of this connection, and it is no more; one that was not needed may not
    /// even have begun. Other bytes of the file are missing still: the part stays open for the next connection, or until `close`.
    case ended
    /// A piece of the file has another hash than its list says: its bytes are to be fetched again.
    /// - Parameters:
    ///   - from: the address that all of them came from; `nil`: it is not known, or there are several.
    ///   - failure: `.checksum`.
    indirect case wrongPiece(Range<Int64>, from: TransferURL?, failure: TransferFailure)
    /// These bytes of the file were synced and survive a power loss. Cumulative, at least every 10 s while bytes arrive.
    case durable(ByteRanges)
    /// Bytes of an upload's body that were sent over this connection, and the size of the body; cumulative, about ten times a
    /// second. `nil`: the size is not known.
    case sent(ByteCount, of: ByteCount?)
    /// Bytes from this position on must be sent again: the server requested a login, redirected the request, or does not have
    /// them.
    case unsent(downTo: ByteCount, because: Rebase.Cause = .sentAgain)
    /// The source of an upload is open, and this is where it is sent to and what the server has of it.
    /// - Parameter isHeld: the connection sends nothing before `proceed`, so that a later run knows the place.
    indirect case placed(ResumePoint, isHeld: Bool)
    indirect case replied(ServerReply)
    /// A warning about the body, which is accepted all the same. Valid until the next `opened`, of an
    /// upload until the next attempt.
    indirect case warned(TransferWarning)
    /// So many bytes have been hashed: of the complete body, or, before a request, of a file that exists already. Cumulative,
    /// about ten times a second. Not reported when no hash is needed, nor for a file that is hashed in less than that time.
    case verified(ByteCount, of: ByteCount)
    /// The body is complete; `size` is exact. For a download, checksum, fsync and rename follow on another thread, and the
    /// slot is free for the next transfer; for an upload, the server's response follows.
    case bodyEnded(size: ByteCount)
    /// The file is complete and synced under its final name; the outcome's path is below the target folder.
    indirect case finished(TransferPhase.Outcome, size: ByteCount)
    /// The listing of a folder has named these files so far; more may follow. At least one.
    indirect case found([TransferSpec])
    /// The body was a Metalink or the listing of a folder, which is not saved. These are the files of the Metalink, at least one, or
    /// what the listing has named since the last `found`, and its folders. `size` is that of the body. The warning is about what
    /// was left out; the fingerprint is that of a folder's listing.
    indirect case listed([TransferSpec], size: ByteCount, warning: TransferWarning?, fingerprint: UInt64? = nil)
    /// A further connection that was answered with something else than the range of the same version of the file fails with
    /// `.badResponse`.
    /// - Parameters:
    ///   - retryAfter: the wait that the server asked for.
    ///   - kept: the part file that is left on disk; `nil`: none.
    indirect case failed(TransferFailure, retryAfter: Duration?, kept: ResumePoint?)
    /// The reply to `close`; `kept` is `nil` when no part file is left.
    indirect case stopped(kept: ResumePoint?)
    /// The reply to `probe`; `nil`: the server did not declare the size.
    case probed(ByteCount?)
}

/// What is known at the start of a body.
package struct Opening: Hashable, Sendable {
    package var status: Int
    /// The position in the file at which the body begins.
    package var offset: ByteCount
    /// The size of the whole file; `nil` when the server did not declare it.
    package var total: ByteCount?
    /// With the bytes that are on disk already: those before `offset`, and those behind gaps that the body fills.
    package var part: ResumePoint
    /// Why `offset` is less than the requested position; `nil` when it is not.
    package var startedOver: Rebase.Cause?
    /// Why no further connection can bring a part of this file; `nil`: one can.
    package var obstacle: SplitObstacle?
    /// False: the server says, or leaves unsaid, that it can send the rest of the file alone, so that a further attempt may have
    /// to begin again.
    package var canContinue: Bool

    package init(
        status: Int, offset: ByteCount, total: ByteCount?, part: ResumePoint, startedOver: Rebase.Cause? = nil,
        obstacle: SplitObstacle? = .unknownSize, canContinue: Bool = true
    ) {
        (self.status, self.offset, self.total, self.part) = (status, offset, total, part)
        (self.startedOver, self.obstacle, self.canContinue) = (startedOver, obstacle, canContinue)
    }
}

/// Why a file is fetched over one connection only.
package enum SplitObstacle: Hashable, Sendable {
    /// The size of the file is not known.
    case unknownSize
    /// The response is HTTP/1.0.
    case oldProtocol
    /// The response does not say that parts of the file can be requested.
    case noRanges
    /// Neither a strong ETag or a safe Last-Modified date, nor a demanded checksum: parts of two versions could be mixed.
    case noValidator
    /// The body is encoded, so positions in it are not positions in the file.
    case encoded
    /// The address is signed for one request.
    case signedAddress
    /// The server answered another connection with something else than the requested part.
    /// - Parameter reason: for the user.
    case refused(reason: String)

    /// After "one connection: ".
    package var words: String {
        switch self {
        case .unknownSize: "the size is not known"
        case .oldProtocol: "the server speaks HTTP/1.0"
        case .noRanges: "the server does not offer parts of the file"
        case .noValidator: "the server names no version of the file, and no checksum is demanded"
        case .encoded: "the body is encoded"
        case .signedAddress: "the address is signed for one request"
        case .refused(let reason): reason
        }
    }
}
