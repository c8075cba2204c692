import WinchHTTP
import WinchListing
import WinchModel

/// An upload of a folder without files: it is made at the server, with those above it. One that is there already is right.
struct FolderUpload: UploadDialogue {
    private let target: TransferURL
    private let settings: Shared<TransferSettings>
    /// `nil`: FTP or SFTP.
    private var making: FolderFirst?
    /// What a server that has something of the name was asked last.
    private var question: Question?

    private enum Question {
        /// What WebDAV knows of it.
        case properties
        /// Whether it is served without a slash behind its name, as a file is, and with one, as a folder is.
        case asFile, asFolder
    }

    /// - Parameter target: ends in `/`; as libcurl is to connect to it.
    init(_ start: ConnectionRequest, to target: TransferURL, folders: KnownFolders) {
        (self.target, settings) = (target, start.settings)
        if target.scheme.isHTTP { making = FolderFirst(target, folders, start) }
    }

    mutating func next(after answer: UploadAnswer?) -> UploadStep {
        guard making == nil else { return make(after: answer) }
        guard let answer else {
            if target.scheme == .sftp { return list() }
            return target.ftpNameFault.map { .failed($0, place: nil) } ?? enter()
        }
        guard let failure = answer.failure else { return .done }
        return .failed(self.failure(after: failure, answer), place: nil)
    }

    private mutating func make(after answer: UploadAnswer?) -> UploadStep {
        if let question, let answer { return judge(answer, to: question) }
        if let step = making?.next(after: answer) { return step }
        // A server that lists its folders redirects within itself; one that moves all to https has made nothing.
        if let answer, answer.isRedirectElsewhere {
            let words = "\(TransferURL.redacted(answer.head.location ?? "")); give that address"
            return .failed(.redirectRefused(words), place: nil)
        }
        // What is there may be a file: RFC 4918, section 9.3.1. A server without WebDAV says the same, and has no folders.
        return answer?.head.status == 405 ? ask(.properties) : .done
    }

    private mutating func ask(_ next: Question) -> UploadStep {
        guard let file = try? TransferURL(String(target.text.dropLast())) else { return .done }
        question = next
        var request = UploadRequest(next == .asFolder ? target : file, settings)
        if next == .properties {
            request.method = "PROPFIND"
            request.headers = ["Depth: 0"]
            request.wanted = Self.longestProperties
        } else {
            request.isHead = true
        }
        return .request(request)
    }

    /// 64 KiB: the properties of one file.
    private static let longestProperties = 64 << 10

    private mutating func judge(_ answer: UploadAnswer, to question: Question) -> UploadStep {
        if let failure = answer.failure { return .failed(failure, place: nil) }
        switch (question, answer.head.status) {
        case (.properties, 207): return isFile(answer.body) ? nameIsTaken : .done
        // nginx makes folders, and has no PROPFIND.
        case (.properties, 400...): return ask(.asFile)
        // Some servers have a page for any address; S3 has no folders, and nothing to serve here.
        case (.asFile, 200...299): return ask(.asFolder)
        case (.asFolder, 404): return nameIsTaken
        default: return .done
        }
    }

    private var nameIsTaken: UploadStep {
        .failed(.remoteWrite(.unknown, path: target.shownPath, details: "a file has this name"), place: nil)
    }

    /// An answer that is no such list says nothing against the folder.
    private func isFile(_ properties: [UInt8]) -> Bool {
        guard let parent = target.folder else { return false }
        var isFile = false
        var list = DavList(path: String(parent.pathText))
        try? properties.withUnsafeBytes { bytes in try list.read(bytes) { isFile = $0.kind == .file } }
        return isFile
    }

    /// libcurl makes what it cannot enter.
    private func enter() -> UploadStep {
        var request = UploadRequest(target, settings)
        request.isHead = true
        request.createsFolders = true
        return .request(request)
    }

    /// Makes each folder of the path and lists the last one, which proves that it is there: of commands with an asterisk no
    /// answer is known, and one for a folder that exists fails.
    private func list() -> UploadStep {
        let folders = Array(sequence(first: target, next: \.folder)).reversed()
        let paths = folders.compactMap(\.folderCommandPath)
        guard !paths.contains(where: { $0.utf8.contains { $0 < 0x20 || $0 == 0x7F } }) else {
            let words = "by SFTP as that of a folder: a control character in the name"
            return .failed(.remoteWrite(.name, path: target.shownPath, details: words), place: nil)
        }
        var request = UploadRequest(target, settings)
        request.commandsBefore = paths.map { "*mkdir " + $0 }
        request.wanted = 0
        return .request(request)
    }

    private func failure(after failure: TransferFailure, _ answer: UploadAnswer) -> TransferFailure {
        let path = target.shownPath
        if answer.code == .accessDenied, (400...499).contains(answer.reply) {
            return .remoteWrite(.busy, path: path, details: answer.refusal)
        }
        if case .remoteFile = failure { return .remoteWrite(.denied, path: path) }
        return failure
    }
}

extension UploadAnswer {
    /// To another server, or another scheme.
    fileprivate var isRedirectElsewhere: Bool {
        guard [301, 302].contains(head.status), let location = head.location,
            let next = TransferURL(location, relativeTo: url.text)
        else { return false }
        return next.origin != url.origin
    }
}
