/// A warning about a file that was downloaded or uploaded all the same.
package enum TransferWarning: Hashable, Sendable, Codable {
    /// The server sent an HTML page where `expected` (`.zip`, or the media type of an earlier response) was expected.
    case page(expected: String)
    /// The server's SSH key is trusted in this run only, because it could not be added to known_hosts.
    case hostKeyNotKept(reason: String)

    /// Files of a Metalink were left out; the reason is that of the first.
    case metalink(reason: String)

    /// Pieces of the file had other hashes than its list says; they were fetched again.
    ///
    /// - Parameter source: the host that sent the last one whose sender is known; `nil`: none is.
    case wrongPieces(Int, source: String?)

    /// An FTP or SFTP server told no size of what was uploaded.
    case remoteSizeUnknown

    /// The server wanted to know the size of a stream before its first byte, or may ask for a login after its last.
    case streamKept

    /// The server sent the file encoded, which was not asked for, and it is saved so; the coding: `gzip`.
    case encoded(String)

    /// The URL ends in a slash, and the server sent an HTML page.
    case pageOfFolder

    /// A file has the name of the part, but no attributes that say where it comes from.
    ///
    /// - Parameter isContinued: the download goes on with it: its last bytes are the server's, and a checksum verifies the whole.
    ///   Else the download began at 0 beside it.
    case unknownPart(String, isContinued: Bool)

    /// So many files of a folder were left out, or all that it had still to list (0), because `--max-files` allows no more.
    case filesLeftOut(Int)

    /// So many folders of a folder were left out, or it was itself (0), because its tree has as many as it may have.
    case foldersLeftOut(Int)

    /// So many entries of a folder have names that cannot be asked for or that no file may have, or lie too deep; the first of them.
    case namesRefused(Int, first: String)

    /// The folder lists what a folder above it lists: a link leads back, and its contents are left out.
    case loop

    /// While several connections brought a file of an FTP server, it grew: what came is the `size` bytes that the server named first.
    case grown(size: ByteCount)

    /// The server had named the size of the file before it was requested, and has sent another.
    case otherSize(named: ByteCount)

    /// A cancelled upload was to be sent again, while another one replaces the same file; the text says which.
    case notSentAgain(reason: String)

    /// What an unfinished upload has left at its server could not be removed; its URL without a login. The transfer may have ended.
    case leftAtServer(String)

    /// Whether it only tells how the file was moved, and the file is shown like any other.
    package var isNote: Bool { gravity < 2 }

    /// The one that the file's row shows, which has room for one; the log has both. Of two alike it is this one.
    package func orGraver(_ earlier: TransferWarning?) -> TransferWarning {
        guard let earlier, earlier.gravity > gravity else { return self }
        return earlier
    }

    /// A note that the bytes may be wrong comes before one about how they were moved.
    private var gravity: Int {
        switch self {
        case .page, .hostKeyNotKept, .metalink, .wrongPieces, .remoteSizeUnknown, .encoded, .filesLeftOut,
            .foldersLeftOut, .namesRefused, .loop, .notSentAgain, .otherSize, .leftAtServer:
            2
        case .unknownPart, .grown: 1
        case .streamKept, .pageOfFolder: 0
        }
    }

    /// What to call it: `warning` or `note`.
    package var kind: String { isNote ? "note" : "warning" }

    /// One line for the user.
    package var message: String {
        switch self {
        case .page(let expected): "received an HTML page instead of \(expected); a login may be needed"
        case .hostKeyNotKept(let reason): "the host key was accepted for this run only: \(reason)"
        case .metalink(let reason): "files of the Metalink were left out: \(reason)"
        case .remoteSizeUnknown: "the server tells no size, which was therefore not compared"
        case .encoded(let coding): "saved as sent: encoded with \(coding), which was not asked for"
        case .notSentAgain(let reason): "not sent again: \(reason)"
        case .leftAtServer(let place):
            "an unfinished upload could not be removed and may still be at the server: \(place)"
        case .pageOfFolder: "a web page about the folder, not its files"
        case .grown(let size): "the file grows at the server; these are the \(size.bytes) bytes that it had at first"
        case .otherSize(let named):
            "the server had named \(named.bytes) bytes: the file has changed, or the link is valid for one request"
        case .filesLeftOut(0): "not listed to its end: enough files of its tree are known (--max-files)"
        case .filesLeftOut(let count):
            "\(count == 1 ? "1 file was" : "\(NumberFormat.count(count)) files were") left out (--max-files)"
        case .foldersLeftOut(0): "not listed: \(Self.mostFolders)"
        case .foldersLeftOut(let count):
            "\(count == 1 ? "1 folder was" : "\(NumberFormat.count(count)) folders were") left out: \(Self.mostFolders)"
        case .namesRefused(let count, let first):
            "\(count == 1 ? "1 entry was" : "\(NumberFormat.count(count)) entries were") left out, whose names or paths "
                + "cannot be asked for or saved: \(first.quoted)\(count > 1 ? ", ..." : "")"
        case .loop: "lists the same as a folder above it, so a link leads back: its contents were left out"
        case .streamKept:
            "its size was needed, or it may be needed twice: the stream was read to its end before it was sent"
        case .unknownPart(let name, isContinued: true):
            "went on with \(name), which winch does not know: its last bytes are the server's, and the checksum verifies "
                + "the whole file"
        case .unknownPart(let name, isContinued: false):
            "\(name) is not known to this machine's winch, so the download began at 0 beside it: it was copied without its "
                + "extended attributes (cp -a and rsync -X keep them), or another program made it; "
                + "with --checksum, winch goes on with it if its bytes are the server's"
        case .wrongPieces(let count, let source):
            "\(count == 1 ? "a wrong piece was" : "\(count) wrong pieces were") fetched again"
                + (source.map { "; \($0) sent \(count == 1 ? "it" : "wrong bytes")" } ?? "")
        }
    }

    private static var mostFolders: String {
        "a tree has at most \(NumberFormat.count(FolderRules.mostFolders)) folders, or as many as --max-files if that is more"
    }

    /// A few words, for a narrow column.
    package var shortMessage: String {
        switch self {
        case .page(let expected): "HTML, not \(expected)"
        case .hostKeyNotKept: "host key not kept"
        case .metalink: "files left out"
        case .remoteSizeUnknown: "size not compared"
        case .encoded(let coding): "saved as sent: \(coding)"
        case .notSentAgain: "not sent again"
        case .leftAtServer: "left at the server"
        case .pageOfFolder: "page, not the files"
        case .streamKept: "read to its end first"
        case .grown: "grew at the server"
        case .otherSize(let named): "not the \(named.bytes) B named"
        case .filesLeftOut: "files left out"
        case .foldersLeftOut: "folders left out"
        case .namesRefused: "names refused"
        case .loop: "a loop, left out"
        case .unknownPart(let name, isContinued: true): "went on with \(name)"
        case .unknownPart(let name, isContinued: false): "\(name) not known, began at 0"
        case .wrongPieces: "wrong pieces fetched again"
        }
    }
}
