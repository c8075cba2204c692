/// The order to list a folder at a server and to download what lies below it. Each folder of a tree is a transfer of its own,
/// so that it is retried, paused and cancelled as a file is.
package struct FolderOrder: Hashable, Sendable, Codable {
    /// The same for all folders of a tree.
    package var rules: Shared<FolderRules>
    /// The form in which the folder above was listed; `nil`: it is not known yet.
    package var form: ListingForm?
    /// Levels below the start, whose own level is 0.
    package var level = 0
    /// The names by which the listings from the start on have led here, each with a slash behind it, percent-encoded. `nil`: its URL
    /// ends in them, as it does unless the server has redirected the request for a folder above it.
    package var path: String?
    /// Fingerprints of the listings above this one, from the start on: a folder that repeats one of them may be a loop.
    package var ancestors: [UInt64] = []
    /// That of its own listing, which is an ancestor of a folder that a link in it leads to; `nil`: it has not ended.
    package var own: UInt64?
    /// The listing of the folder above called it a link, or a file.
    package var isLink = false
    /// The entries are only counted, and nothing is downloaded.
    package var isCounting = false
    /// Empty folders are not made here: nothing is downloaded.
    package var isDry = false

    package init(rules: Shared<FolderRules>) { self.rules = rules }

    /// The order to count what is in a folder that was taken for a file.
    package init(counting url: TransferURL) {
        rules = Shared(FolderRules(tree: 0, start: url))
        isCounting = true
    }
}

/// What holds for a whole tree.
package struct FolderRules: Hashable, Sendable, Codable {
    /// Names the tree within this queue and in the ledger; random.
    package var tree: UInt64
    /// The folder that the user named; only what lies below it is downloaded.
    package var start: TransferURL
    /// In the order in which the user gave them.
    package var globs: [GlobRule] = []
    /// Levels of files that are wanted, at least 1: 1 means the files of the start alone; `nil`: all.
    package var depth: Int?
    /// Files of the tree that are downloaded at most, at least 1; `nil`: all.
    package var mostFiles: Int?

    /// Each folder is a row, and a server could name folders without end.
    package static let mostFolders = 100_000

    /// Folders of the tree that are listed at most, the start included: a tree of more files may have more.
    package var mostFolders: Int { max(Self.mostFolders, mostFiles ?? 0) }

    package init(tree: UInt64, start: TransferURL) { (self.tree, self.start) = (tree, start) }
}

/// A rule of `--include` or `--exclude`. The last rule that matches an entry decides; an entry that none matches is taken.
package struct GlobRule: Hashable, Sendable, Codable {
    /// The entry is taken; false: it is left out.
    package var includes: Bool
    /// The bytes of the pattern, as given; not empty.
    package var pattern: [UInt8]

    package init(includes: Bool, pattern: [UInt8]) { (self.includes, self.pattern) = (includes, pattern) }
}

/// How a server lists a folder.
package enum ListingForm: String, Hashable, Sendable, Codable, CaseIterable {
    /// FTP's MLSD.
    case mlsd
    /// FTP's LIST, in the form of `ls -l` or of DOS.
    case list
    /// SFTP, in the form of `ls -l`.
    case sftp
    /// WebDAV's PROPFIND.
    case dav
    /// The XML of S3's ListObjects.
    case s3
    /// A page of links that a web server makes.
    case html
    /// nginx's `autoindex_format json`, or Caddy's.
    case json
}

/// What a listing has found.
public struct Found: Hashable, Sendable, Codable {
    /// Files that are to be transferred, or are already.
    public var files = 0
    /// Folders below it.
    public var folders = 0
    /// Files that are here already as the server has them. Not among `files`.
    public var unchanged = 0
    /// Bytes of the unchanged files.
    public var unchangedBytes: Int64 = 0
    /// Entries whose names were refused, or that could not be transferred.
    public var refused = 0

    /// - Parameter files: to be transferred.
    public init(files: Int = 0) { self.files = files }
}
