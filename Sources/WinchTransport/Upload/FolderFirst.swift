import Synchronization
import WinchHTTP
import WinchModel

/// Makes the folder of an upload at a WebDAV server, and those above it where they are missing too.
///
/// Of several uploads that want the same folder one makes it, and the others wait for the end of that request.
struct FolderFirst {
    private struct Missing {
        let folder: TransferURL
        /// The right to make it; `nil`: it was not asked for yet.
        var claim: KnownFolders.Claim?
    }

    private let known: KnownFolders
    private let start: ConnectionRequest
    /// Folders that are to be made, each in the one behind it.
    private var missing: [Missing]
    /// The parents of the last one may be missing too.
    private var isClimbing = true
    /// A parent was not made here, because it is said to exist.
    private var reliesOnOthers = false
    private var hasForgotten = false
    /// A request was made.
    private(set) var hasAsked = false
    /// The last folder that was asked for was not made, because something has its name.
    private var isThereAlready = false
    /// Where the server has sent the last request to; `nil`: nowhere.
    private var hop: RedirectedRequest?
    private var redirects = Redirects()

    /// - Parameter folder: ends in `/`.
    init(_ folder: TransferURL, _ known: KnownFolders, _ start: ConnectionRequest) {
        (self.known, self.start) = (known, start)
        missing = [Missing(folder: folder)]
    }

    /// - Parameter answer: to the last request; `nil`: at the beginning, and after `awaitFolder`.
    /// - Returns: `nil` when the folder is there.
    mutating func next(after answer: UploadAnswer?) -> UploadStep? {
        if let answer, let end = take(answer) { return end }
        while let last = missing.last {
            if last.claim == nil {
                switch known.claim(last.folder) {
                case .known:
                    missing.removeLast()
                    (isClimbing, reliesOnOthers) = (false, true)
                    continue
                case .busy: return .awaitFolder(last.folder)
                case .granted(let claim): missing[missing.count - 1].claim = claim
                }
            }
            hasAsked = true
            return .request(
                UploadRequest(hop?.url ?? last.folder, hop?.settings ?? start.settings, method: "MKCOL"))
        }
        return nil
    }

    /// - Returns: `nil` when it goes on.
    private mutating func take(_ answer: UploadAnswer) -> UploadStep? {
        guard let last = missing.last else { return nil }
        if let failure = answer.failure { return .failed(failure, place: nil) }
        hop = nil
        switch answer.head.status {
        case 307, 308:
            do throws(TransferFailure) {
                hop = try redirects.follow(answer.head.location ?? "", from: answer.url.text, of: start)
            } catch {
                return .failed(error, place: nil)
            }
        // Made, or there already: 405 for WebDAV's own folders, a redirect where the server lists it. A server that does not
        // know the method (405 or 501) has no folders to be made, as S3.
        case 200...299, 405, 501, 301, 302:
            isThereAlready = answer.head.status == 405
            known.insert(last.folder)
            missing.removeLast()
            isClimbing = false
        case 404, 409:
            // A parent that is said to exist was removed meanwhile. RFC 4918, 9.3.1.
            if !isClimbing, reliesOnOthers, !hasForgotten {
                if let parent = last.folder.folder { known.forget(from: parent) }
                (isClimbing, hasForgotten) = (true, true)
            }
            guard isClimbing, let parent = last.folder.folder else {
                return .failed(failure(after: answer.head.status, at: last.folder), place: nil)
            }
            missing.append(Missing(folder: parent))
        default: return .failed(.httpStatus(answer.head.status), place: nil)
        }
        return nil
    }

    /// The failure of a request for something in the last folder. 409 says that this is no folder, so what has its name may be
    /// a file. RFC 4918, 9.3.1 and 9.7.1.
    func failure(after status: Int, at url: TransferURL) -> TransferFailure {
        guard status == 409, isThereAlready else { return .httpStatus(status) }
        let words = "409 \(HTTPStatus.words(status)); is a file in the place of its folder?"
        return .remoteWrite(.unknown, path: url.shownPath, details: words)
    }
}

/// Folders that exist at servers, as far as this run knows, and those that an upload is making. The threads of a transport
/// share it.
final class KnownFolders: Sendable {
    private struct State {
        var urls: Set<String> = []
        /// Folders that are being made, and what is called when that has ended.
        var claimed: [String: [@Sendable () -> Void]] = [:]
    }

    enum Answer: Sendable {
        /// The folder exists.
        case known
        /// Another upload is making it.
        case busy
        /// The caller makes it, and keeps the claim as long.
        case granted(Claim)
    }

    /// The right to make a folder. Ends with the object: so an upload that is cancelled holds up no other.
    final class Claim: Sendable {
        private let owner: KnownFolders
        private let folder: String

        fileprivate init(_ owner: KnownFolders, _ folder: String) { (self.owner, self.folder) = (owner, folder) }

        deinit { owner.release(folder) }
    }

    private let state = Mutex(State())

    /// 1 MB. Of those that are forgotten a server says that they exist.
    private static let most = 10_000

    func claim(_ folder: TransferURL) -> Answer {
        let key = folder.normal
        return state.withLock { state in
            if state.urls.contains(key) { return .known }
            guard state.claimed[key] == nil else { return .busy }
            state.claimed[key] = []
            return .granted(Claim(self, key))
        }
    }

    /// - Parameter whenFree: called once, on any thread, when the upload that makes the folder has ended that.
    /// - Returns: false when no upload makes it now, and `whenFree` is not called.
    func wait(for folder: TransferURL, whenFree: @escaping @Sendable () -> Void) -> Bool {
        let key = folder.normal
        return state.withLock { state in
            guard state.claimed[key] != nil else { return false }
            state.claimed[key]?.append(whenFree)
            return true
        }
    }

    private func release(_ key: String) {
        let waiting = state.withLock { $0.claimed.removeValue(forKey: key) }
        for whenFree in waiting ?? [] { whenFree() }
    }

    func insert(_ folder: TransferURL) {
        let key = folder.normal
        state.withLock { state in
            if state.urls.count >= Self.most { state.urls = [] }
            state.urls.insert(key)
        }
    }

    /// The folder is missing; those above it and in it may be missing too.
    func forget(from folder: TransferURL) {
        let key = folder.normal
        let parents = sequence(first: folder, next: \.folder).map(\.normal)
        state.withLock { state in
            state.urls = state.urls.filter { !$0.hasPrefix(key) }
            state.urls.subtract(parents)
        }
    }
}
