/// The order for one transfer: the URLs, the target and the settings.
///
/// Stored in 32 bytes: a queue has a hundred thousand of them, which differ in little but their URLs.
public struct TransferSpec: Hashable, Sendable, Codable {
    /// The URL and its mirrors, tried in order; at least one.
    public var urls: MirrorList
    private var terms: Shared<Terms>
    @HeapOptional private var own: Own? = nil

    /// What many transfers have in common.
    private struct Terms: Hashable, Sendable, Codable {
        var direction: Direction
        var startsPaused: Bool
        var folder: String
        var settings: Shared<TransferSettings>
        /// `nil`: 0.
        var namedParts: Int?
    }

    /// What few transfers have, or all files of a folder that was listed.
    private struct Own: Hashable, Sendable, Codable {
        var name: TargetPath?
        var version: ListedVersion?
        @HeapOptional var rare: Rare? = nil

        var isEmpty: Bool { name == nil && version == nil && rare == nil }
    }

    /// What few transfers have.
    private struct Rare: Hashable, Sendable, Codable {
        var listed = ListedFacts()
        var upload: UploadOrder?
        var order: FolderOrder?
        var finished: Shared<FinishedFile>?

        var isEmpty: Bool { listed.isEmpty && upload == nil && order == nil && finished == nil }
    }

    /// - Parameters:
    ///   - urls: the URL and its mirrors, tried in order; at least one.
    ///   - folder: the target folder; a relative path begins at the working folder of the process.
    ///   - name: the path below the folder; `nil`: the server or the URL determines the name.
    public init(
        urls: [TransferURL], direction: Direction = .down, folder: String = ".", name: TargetPath? = nil,
        settings: Shared<TransferSettings> = Shared(TransferSettings()), startsPaused: Bool = false
    ) {
        self.urls = MirrorList(urls)
        terms = Shared(Terms(direction: direction, startsPaused: startsPaused, folder: folder, settings: settings))
        if name != nil { self.name = name }
    }

    /// - Parameter url: where the body goes; see `UploadOrder.target`.
    package init(
        upload: UploadOrder, to url: TransferURL,
        settings: Shared<TransferSettings> = Shared(TransferSettings()), startsPaused: Bool = false
    ) {
        self.init(urls: [url], direction: .up, settings: settings, startsPaused: startsPaused)
        self.upload = upload
    }

    /// The name that the file will get unless the server names it; of an upload the name of its source, of a folder that is listed
    /// its own with a slash.
    public var expectedName: String {
        if isListing { return folderName + "/" }
        return name?.text ?? upload?.name ?? urls.first.map { TargetName(url: $0).text } ?? TargetName.fallback
    }
}

extension TransferSpec {
    public var direction: Direction {
        get { terms.value.direction }
        set { change { $0.direction = newValue } }
    }

    /// The transfer waits until it is resumed.
    public var startsPaused: Bool {
        get { terms.value.startsPaused }
        set { change { $0.startsPaused = newValue } }
    }

    /// The target folder as given; created when missing.
    public var folder: String {
        get { terms.value.folder }
        set { change { $0.folder = newValue } }
    }

    /// How the file is downloaded; one copy for all transfers with the same settings.
    public var settings: Shared<TransferSettings> {
        get { terms.value.settings }
        set { change { $0.settings = newValue } }
    }

    /// The path below the folder, from `out=` or `-o`; `nil`: the server or the URL determines the name.
    public var name: TargetPath? {
        get { own?.name }
        set { changeOwn { $0.name = newValue } }
    }

    /// From a checksum list (`--sums`) or a Metalink; must match in addition to `settings.checksum`. Not part of the settings,
    /// because all entries of a batch share one copy of those.
    public var listedChecksum: Checksum? {
        get { own?.rare?.listed.checksum }
        set { changeRare { $0.listed.checksum = newValue } }
    }

    /// Where `listedChecksum` comes from.
    package var listedOrigin: ChecksumOrigin {
        get { own?.rare?.listed.origin ?? .list }
        set { changeRare { $0.listed.origin = newValue == .list ? nil : newValue } }
    }

    /// The checksums of the whole file that the user and a list demand.
    private var checksums: [Checksum] { [settings.value.checksum, listedChecksum].compactMap { $0 } }

    /// Hashes tell whether the file is right.
    package var hasHashes: Bool { !checksums.isEmpty || pieces != nil }

    /// Whether a file that this spec finds right is what `other` demands, too.
    package func verifies(_ other: TransferSpec) -> Bool {
        let wanted = other.checksums
        let list = other.settings.value.sums
        return wanted.allSatisfy { checksums.contains($0) }
            && (!wanted.isEmpty
                || (other.pieces == nil || other.pieces == pieces) && (list == nil || list == settings.value.sums))
    }

    /// Whether a file that is fetched for this spec is all that `other` asks for: it verifies it, and the same commands are run.
    package func covers(_ other: TransferSpec) -> Bool {
        let (own, wanted) = (settings.value, other.settings.value)
        return verifies(other) && [nil, own.onDone].contains(wanted.onDone)
            && [nil, own.onFail].contains(wanted.onFail)
    }

    /// Takes what `earlier` knows of the content of the same file, unless this spec itself says it.
    package mutating func inheritHashes(from earlier: TransferSpec) {
        guard !hasHashes else { return }
        replaceHashes(by: earlier)
        if upload == nil, listedSize == nil { listedSize = earlier.listedSize }
    }

    /// The file must be what `other` demands, and nothing else.
    package mutating func replaceHashes(by other: TransferSpec) {
        (listedChecksum, listedOrigin, pieces) = (other.listedChecksum, other.listedOrigin, other.pieces)
        guard settings.value.checksum != other.settings.value.checksum else { return }
        var checked = settings.value
        checked.checksum = other.settings.value.checksum
        settings = Shared(checked)
    }

    /// The hashes of the file's pieces, from a Metalink.
    public var pieces: PieceHashes? {
        get { own?.rare?.listed.pieces }
        set { changeRare { $0.listed.pieces = newValue } }
    }

    /// The size of the file according to a Metalink, until the server declares it; of an upload the size of its source. A
    /// download without hashes must have this size.
    public var listedSize: ByteCount? {
        get { own?.rare?.listed.size }
        set { changeRare { $0.listed.size = newValue } }
    }

    /// What an upload sends; `nil`: it is a download.
    package var upload: UploadOrder? {
        get { own?.rare?.upload }
        set { changeRare { $0.upload = newValue } }
    }

    /// The transfer lists this folder; `nil`: it brings or sends one file.
    package var folderOrder: FolderOrder? {
        get { own?.rare?.order }
        set { changeRare { $0.order = newValue } }
    }

    /// It is an upload that is not of a folder: `folder` is `.` for any working folder, and says nothing of its file.
    package var hasNoFolder: Bool { direction == .up && folder == "." }

    /// As `folderOrder != nil`, and quicker.
    package var isListing: Bool { own?.rare?.order != nil }

    /// What the listing of its folder says of the file; `nil`: no listing has named it.
    package var listedVersion: ListedVersion? {
        get { own?.version }
        set { changeOwn { $0.version = newValue } }
    }

    /// The file is here already, and its server is to be asked whether it has changed; `nil`: it is not known to be.
    package var finishedFile: FinishedFile? {
        get { own?.rare?.finished?.value }
        set { changeRare { $0.finished = newValue.map { Shared($0) } } }
    }

    /// So many of the last parts of `folder` are those of a folder that the user wants whole, from its own name on. Servers have
    /// named them: none of them may be a symbolic link.
    package var namedParts: Int {
        get { terms.value.namedParts ?? 0 }
        set { change { $0.namedParts = newValue > 0 ? newValue : nil } }
    }

    /// The file was found in a folder that the user wants whole.
    package var isOfTree: Bool { namedParts > 0 }

    /// The last part of the path of its folder; of the working folder the name in the URL.
    private var folderName: String {
        let part = folder.split(separator: "/").last.map(String.init) ?? ""
        return ["", ".", ".."].contains(part) ? urls.first.map { TargetName(url: $0).text } ?? part : part
    }

    private mutating func changeRare(_ change: (inout Rare) -> Void) {
        changeOwn {
            var new = $0.rare ?? Rare()
            change(&new)
            $0.rare = new.isEmpty ? nil : new
        }
    }

    private mutating func changeOwn(_ change: (inout Own) -> Void) {
        var new = own ?? Own()
        change(&new)
        own = new.isEmpty ? nil : new
    }

    private mutating func change(_ change: (inout Terms) -> Void) {
        var new = terms.value
        change(&new)
        terms = Shared(new)
    }
}

extension TransferSpec {
    /// One copy of the parts that many specs have in common, by folder. A folder with entries of several kinds has that of the
    /// latest.
    package struct CommonParts: Sendable {
        private var terms: [ExactText: Shared<Terms>] = [:]
        var count: Int { terms.count }

        package init() {}

        /// Replaces the parts of a spec by equal ones of an earlier spec.
        package mutating func share(with spec: inout TransferSpec) {
            let folder = ExactText(spec.folder)
            if let known = terms[folder], known == spec.terms { return spec.terms = known }
            if terms.count >= Self.most { terms = [:] }
            terms[folder] = spec.terms
        }

        /// Folders, which transfers that have left the list named as well.
        static let most = 1000
    }
}

/// `down`: from the server to a file; `up`: from a file to the server.
public enum Direction: String, Hashable, Sendable, Codable, CaseIterable {
    case down
    case up

    /// What messages call transfers: `download` or `upload`, or `transfer` if both are among them; without the plural's `s`.
    ///
    /// - Parameters:
    ///   - uploads: how many of them are uploads.
    ///   - count: how many they are.
    package static func noun(uploads: Int, of count: Int) -> String {
        uploads == 0 ? "download" : uploads == count ? "upload" : "transfer"
    }
}

/// What a checksum list or a Metalink says of one file. Not part of the settings, because all entries of a batch share one copy
/// of those.
struct ListedFacts: Hashable, Sendable, Codable {
    var checksum: Checksum?
    /// Where the checksum comes from; `nil`: a checksum list.
    var origin: ChecksumOrigin?
    var pieces: PieceHashes?
    var size: ByteCount?

    var isEmpty: Bool { checksum == nil && pieces == nil && size == nil }
}

/// The file that an entry asks for: its first URL in normal form, the user and the header lines that are sent there, the target
/// folder and the name from `out=`; of an upload also what is sent.
package struct WantedFile: Hashable {
    /// Without the login in it: another password leads to the same file.
    private let url: String
    private let user: ExactText?
    private let headers: [ExactText]
    /// Stands for them where they are stored no longer.
    private let account: UInt16?
    private let folder: ExactText
    private let name: ExactText?
    private let source: ExactText?
    /// What is sent that is neither a file nor a folder.
    private let content: UploadOrder.Content?
    /// The folder is listed.
    private let isListing: Bool

    fileprivate init(_ spec: TransferSpec, at url: TransferURL) {
        self.url = TransferURL.redacted(url.normal)
        user = spec.settings.value.userName(at: url).map { ExactText($0) }
        headers = spec.settings.value.headers.map { ExactText($0) }
        account = spec.settings.value.account
        (folder, name) = (ExactText(spec.folder), (spec.name?.text).map { ExactText($0) })
        let upload = spec.upload
        source = (upload?.file ?? upload?.folder).map { ExactText($0) }
        (content, isListing) = (source == nil ? upload?.content : nil, spec.isListing)
    }
}

extension TransferSpec {
    /// `nil` for an entry without a URL.
    package var wanted: WantedFile? { urls.first.map { WantedFile(self, at: $0) } }

    /// The user name that its first URL gets; `nil`: none, or one of `~/.netrc`.
    package var userName: String? { urls.first.flatMap { settings.value.userName(at: $0) } }

    /// `TransferSettings.accountMark` of its first URL.
    package var accountMark: UInt16? { urls.first.flatMap { settings.value.accountMark(at: $0) } }

    /// The file at a server that an upload replaces, equal for all its URLs; `nil`: it replaces none, or is a download. By FTP and
    /// SFTP each user may have other folders.
    package var replacedFile: String? {
        guard let upload, let url = urls.first, upload.replacesFile(at: url) else { return nil }
        guard !url.scheme.isHTTP else { return url.place }
        return (settings.value.userName(at: url) ?? (url.scheme.isFTP ? "anonymous" : "")) + " " + url.place
    }
}

/// The path of a transfer's file for messages: its name alone does not tell it from the files of other folders.
struct FilePath {
    let direction: Direction
    let folder: String
    /// As in `TransferSpec`.
    let namedParts: Int
    let isListing: Bool

    /// From the folder on that the user wants whole, such as `pub/2024/a.iso`; of an upload from a folder as the user gave that; of
    /// a folder that is listed its own path; of any other transfer the name alone.
    ///
    /// - Parameter name: of the file, in its folder.
    func path(to name: String) -> String {
        if direction == .up { return ["", "."].contains(folder) ? name : Self.joined(folder[...], name) }
        // At the byte: for Swift a slash with a combining accent is one character.
        let parts = folder.utf8.split(separator: UInt8(ascii: "/")).suffix(max(0, namedParts))
        guard let first = parts.first else { return name }
        return Self.joined(folder[first.startIndex...], isListing ? "" : name)
    }

    private static func joined(_ folder: Substring, _ name: String) -> String {
        String(folder) + (folder.utf8.last == UInt8(ascii: "/") ? "" : "/") + name
    }
}

extension TransferSpec {
    /// The name with the path that tells it from the names of other files, as `FilePath` makes it.
    package func path(to name: String) -> String {
        FilePath(direction: direction, folder: folder, namedParts: namedParts, isListing: isListing).path(to: name)
    }
}

extension TransferSnapshot {
    /// The name with the path that tells it from the names of other files, as `FilePath` makes it.
    package var path: String { path(to: name) }

    /// - Parameter name: of the row's file, in its folder.
    package func path(to name: String) -> String {
        FilePath(direction: direction, folder: folder, namedParts: Int(namedParts), isListing: isListing)
            .path(to: name)
    }

    /// Whether `path` is more than the name.
    package var hasPath: Bool { direction == .up ? !localFolder.isEmpty : namedParts > 0 }

    /// It lists a folder that was found in another, of which a front end says less than of one that the user named.
    package var isSubfolder: Bool { isListing && namedParts > 1 }
}
