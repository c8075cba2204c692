/// A step in which the completed bytes or the fraction fell, with the cause that is shown.
public struct Rebase: Hashable, Sendable, Codable {
    public enum Cause: Hashable, Sendable, Codable {
        /// The server sent the whole file although a range was asked for.
        case rangeIgnored
        /// The server answered from an earlier place than asked.
        case rangeStartedEarlier
        /// The file is another one than that whose bytes were kept.
        case fileChanged
        /// The server refused the range, and what it names as its length is not ours.
        case rangeRefused
        /// More arrived than was announced.
        case outgrown
        /// The size is not known, and more has come than was guessed.
        case guessOutgrown
        /// Bytes thought to be on disk were not there for the next attempt.
        case lostOnRetry
        /// A piece of the file had another hash than its list says.
        case wrongPiece
        /// A login or a redirect: the body of an upload has to be sent once more.
        case sentAgain
        /// An FTP or SFTP server refused to append to what it had of an upload.
        case appendRefused
        /// An FTP or SFTP server did not tell how much of an upload it has.
        case remoteSizeUnknown
        /// The bytes that the server has of an upload are not those of the file.
        case remoteBytesDiffer
        /// The server no longer has what was sent of an upload.
        case remoteFileGone
        /// A settled transfer was started once more.
        case retried
        /// A size turned out larger than guessed or probed.
        case sizeLearned
        /// Transfers joined the queue.
        case added(Int)
        /// Transfers left the queue.
        case removed(Int)
        /// The queue's bar counts otherwise now.
        case modeChanged
    }

    public var cause: Cause
    public var at: Moment
    /// Change of completed bytes (or transfers, in simple mode).
    public var completed: Int64
    public var total: Int64

    package init(cause: Cause, at: Moment, completed: Int64, total: Int64) {
        (self.cause, self.at, self.completed, self.total) = (cause, at, completed, total)
    }
}

extension Rebase.Cause {
    /// A few words for the screen.
    public var words: String {
        switch self {
        case .rangeIgnored: "server ignored the range"
        case .rangeStartedEarlier: "server sent earlier bytes"
        case .fileChanged: "file changed, starting over"
        case .rangeRefused: "range refused, starting over"
        case .outgrown: "larger than announced"
        case .guessOutgrown: "estimate raised"
        case .lostOnRetry: "retry"
        case .wrongPiece: "wrong bytes, fetching them again"
        case .sentAgain: "sending again"
        case .appendRefused: "the server cannot append; sent again from the beginning"
        case .remoteSizeUnknown: "the server tells no size; sent again from the beginning"
        case .remoteBytesDiffer: "the server has other bytes; sent again from the beginning"
        case .remoteFileGone: "the server has lost it; sent again from the beginning"
        case .retried: "retried"
        case .sizeLearned: "size known"
        case .added(let count): count == 1 ? "+1 file" : "+\(count) files"
        case .removed(let count): count == 1 ? "-1 file" : "-\(count) files"
        case .modeChanged: "counting changed"
        }
    }
    /// The same for narrow columns.
    package var shortWords: String {
        switch self {
        case .rangeIgnored: "range ignored"
        case .fileChanged: "file changed"
        case .rangeRefused: "range refused"
        case .outgrown: "size grew"
        case .wrongPiece: "wrong bytes"
        case .appendRefused: "cannot append"
        case .remoteSizeUnknown: "no remote size"
        case .remoteBytesDiffer: "other bytes there"
        case .remoteFileGone: "lost by the server"
        case .rangeStartedEarlier, .guessOutgrown, .lostOnRetry, .sentAgain, .retried, .sizeLearned, .added, .removed,
            .modeChanged:
            words
        }
    }
}
