import FoundationEssentials
import Glibc
public import WinchModel
import WinchQueue

/// A queue of transfers that runs in the background. Add transfers to it, follow their progress, and wait for their end.
///
/// A transfer starts as soon as a slot is free, unless the queue was created with ``Settings/isHeld``; then all transfers
/// wait for ``go()``. Every method may be called on any thread, and returns at once unless it is `async`.
///
/// The queue runs as long as there is a reference to it, to one of its transfers, or to a sequence or a binding that
/// follows one of them. When the last reference is released it closes its connections and keeps the part files for a
/// later run. ``close()`` does the same and waits for the end.
public final class NetworkQueue: Sendable {
    let broadcaster: UpdateBroadcaster
    let inbox: Inbox
    private let running: Task<Void, Never>
    /// As passed to `init`; the defaults for `add`. Not changed by ``setSlots(_:)`` and the like.
    public let settings: Settings

    /// Creates the queue and starts its threads.
    ///
    /// - Throws: ``NetworkQueueFailure/cannotStart(_:)`` when libcurl or the system cannot provide what it needs.
    public init(_ settings: Settings = Settings()) throws(NetworkQueueFailure) {
        let engineHost: EngineHost
        do throws(TransferFailure) {
            engineHost = try EngineHost(settings: settings.queue)
        } catch {
            throw .cannotStart(error)
        }
        let broadcaster = UpdateBroadcaster(mode: settings.mode)
        engineHost.queue.feed.subscribe(broadcaster)
        (self.broadcaster, self.settings, inbox) = (broadcaster, settings, engineHost.queue.inbox)
        running = engineHost.start()
    }

    deinit {
        inbox.send(.quit)
    }

    /// Adds one file.
    ///
    /// - Parameters:
    ///   - url: `http`, `https`, `ftp`, `ftps` or `sftp`.
    ///   - mirrors: other URLs of the same file, tried in order when the first fails.
    ///   - name: the path of the file below the folder; `nil`: the server or the URL determines the name.
    ///   - folder: the target folder, created when missing; `nil`: that of the queue's settings.
    ///   - options: how the file is downloaded; `nil`: the options of the queue's settings.
    ///   - startsPaused: the transfer waits for ``Transfer/resume()``.
    /// - Throws: ``NetworkQueueFailure/badURL(_:)``, ``NetworkQueueFailure/badName(_:)``,
    ///   ``NetworkQueueFailure/closed``.
    @discardableResult
    public func add(
        _ url: String, mirrors: [String] = [], name: String? = nil, folder: String? = nil,
        options: TransferSettings? = nil, startsPaused: Bool = false
    ) throws(NetworkQueueFailure) -> Transfer {
        let urls = try Self.urls([url] + mirrors)
        let spec = TransferSpec(
            urls: urls, folder: folder ?? settings.folder, name: try Self.path(name),
            settings: options.map(Shared.init) ?? settings.sharedOptions, startsPaused: startsPaused)
        return Transfer(id: try take([spec]), spec: spec, queue: self)
    }

    /// Adds many files in one step. Each spec is a transfer of its own, also where two of them name the same URL.
    ///
    /// - Returns: one transfer for each spec, in the same order.
    /// - Throws: ``NetworkQueueFailure/closed``; ``NetworkQueueFailure/noURL`` when a spec has no URL, or is an upload without
    ///   a source, as `upload` makes none. Then none is added.
    @discardableResult
    public func add(_ specs: [TransferSpec]) throws(NetworkQueueFailure) -> [Transfer] {
        guard !specs.isEmpty else { return [] }
        guard specs.allSatisfy({ !$0.urls.isEmpty && ($0.direction == .down || $0.upload != nil) }) else {
            throw .noURL
        }
        let first = try take(specs).number
        return specs.enumerated().map { Transfer(id: TransferID(first + $0), spec: $1, queue: self) }
    }

    /// Closes every connection, keeps the part files of incomplete transfers, and returns when all threads are idle.
    ///
    /// The sequences of transfers that are not settled end after their last state. A closed queue accepts no transfers.
    /// May be called more than once.
    public func close() async {
        broadcaster.close { inbox.send(.quit) }
        // Not cancellable: also when the caller's task is cancelled, this returns only after the engine has ended.
        await running.value
    }

    /// - Returns: the ID of the first one; the others follow.
    func take(_ specs: [TransferSpec]) throws(NetworkQueueFailure) -> TransferID {
        // The engine numbers the transfers in the order of `specs`.
        let first = broadcaster.add(specs) { inbox.add(specs.map { Addition(spec: $0) }) }
        guard let first else { throw .closed }
        return first
    }

    private static func urls(_ texts: [String]) throws(NetworkQueueFailure) -> [TransferURL] {
        do throws(TransferURL.Fault) {
            var urls: [TransferURL] = []
            for text in texts { urls.append(try TransferURL(text)) }
            return urls
        } catch {
            throw .badURL(error)
        }
    }

    private static func path(_ name: String?) throws(NetworkQueueFailure) -> TargetPath? {
        guard let name else { return nil }
        do throws(TargetPath.Fault) {
            return try TargetPath(name)
        } catch {
            throw .badName(error)
        }
    }
}

extension NetworkQueue {
    /// Starts a held queue. The same as ``resume()``.
    public func go() { inbox.send(.resumeAll) }

    /// Pauses every transfer that is not settled. Transfers that are added later wait too, until ``resume()``.
    public func pause() { inbox.send(.pauseAll) }

    /// Resumes all paused transfers, including those that were added with `startsPaused`.
    public func resume() { inbox.send(.resumeAll) }

    /// Cancels every transfer that is not settled, and removes its part file.
    public func cancel() { inbox.send(.cancel(broadcaster.unsettled)) }

    /// Starts all failed transfers again, but not cancelled ones; see ``Transfer/retry()``.
    public func retryFailed() {
        broadcaster.retry(nil) { inbox.send(.retryFailed) }
    }

    /// Sets the number of simultaneous transfers. Active transfers continue when it is lowered.
    ///
    /// - Parameter slots: clamped to 1...256.
    public func setSlots(_ slots: Int) { inbox.send(.setSlots(slots)) }

    /// Sets what the queue's progress counts from now on.
    public func setMode(_ mode: ProgressMode) { inbox.send(.setMode(mode)) }

    /// Sets the rate limit over all transfers.
    ///
    /// - Parameter limit: `nil` removes it.
    public func setRateLimit(_ limit: ByteRate?) { inbox.send(.setRateLimit(limit)) }

    /// Sets the rate limit over all uploads, within the limit over all transfers.
    ///
    /// - Parameter limit: `nil` removes it.
    public func setUploadLimit(_ limit: ByteRate?) { inbox.send(.setUploadLimit(limit)) }
}

extension NetworkQueue {
    /// The progress of the whole queue, from now until all transfers are settled or the queue is closed.
    ///
    /// Each loop follows independently. A slow loop misses intermediate states but never the last one, after which the
    /// sequence ends. For an empty queue the sequence has one value, so add transfers first. To follow further runs of
    /// the queue, start another loop.
    public var progress: ProgressSequence<Progress> {
        ProgressSequence(queue: self) { broadcaster in broadcaster.follow() }
    }

    /// The state of the queue in the latest update of the engine.
    public var latest: Progress { broadcaster.latest }

    /// The events of all transfers, in order, from now until the queue is closed.
    public var events: EventSequence { EventSequence(queue: self) }

    /// Waits until all transfers are settled or the queue is closed; returns at once for an empty queue.
    ///
    /// - Returns: the result of each transfer; `unfinished` for those that are not settled because the queue was closed or the
    ///   waiting task was cancelled.
    public func finished() async -> Summary {
        for await _ in progress {}
        return Summary(results: broadcaster.results)
    }
}

extension NetworkQueue {
    /// The settings of a queue, and the defaults for its transfers.
    public struct Settings: Sendable {
        /// Simultaneous transfers, at least 1.
        public var slots = 4
        /// Simultaneous connections to one host over all transfers, at least 1.
        public var perHost = 8
        /// How the queue's progress counts: `.simple` in transfers, `.accurate` in bytes, for which the sizes of waiting
        /// files are requested ahead of time. The progress of a transfer always counts bytes.
        public var mode = ProgressMode.accurate
        /// The target folder; created when missing. A relative path begins at the working folder of the process.
        public var folder = "."
        /// Transfers wait for ``NetworkQueue/go()``.
        public var isHeld = false
        /// The first failure stops all other transfers; a cancelled transfer is no failure.
        public var failsFast = false
        /// The rate limit over all transfers; `nil`: none.
        public var rateLimit: ByteRate?
        /// The rate limit over all uploads, within `rateLimit`; `nil`: none.
        public var uploadLimit: ByteRate?
        /// How long transfers wait for space on a full disk to which no transfer writes, before they fail; `nil`: no limit.
        public var spaceWait: Duration? = .seconds(30)
        /// How each transfer is downloaded.
        public var options = TransferSettings()

        /// The defaults.
        public init() {}
    }
}

extension NetworkQueue.Settings {
    var queue: QueueSettings {
        var queue = QueueSettings()
        (queue.slots, queue.perHost, queue.mode) = (slots, perHost, mode)
        (queue.isHeld, queue.failsFast, queue.rateLimit) = (isHeld, failsFast, rateLimit)
        queue.uploadLimit = uploadLimit
        queue.spaceWait = spaceWait
        queue.seed = .random(in: .min ... .max)
        return queue
    }

    var sharedOptions: Shared<TransferSettings> { Shared(options) }
}

extension NetworkQueue {
    /// The results of all transfers.
    public struct Summary: Hashable, Sendable {
        /// The result of each transfer, in the order of adding.
        public let results: [TransferResult]

        /// The exit code of the command `winch`: 0 when all files are complete, 7 when transfers are unfinished, else aria2's
        /// code if it is the same for all failures, else 1.
        public var exitCode: Int32 { run.exitCode }

        /// One line for the user, such as `3 finished, 1 failed`.
        public var words: String { run.words }

        private var run: RunSummary {
            var run = RunSummary()
            for result in results {
                switch result.ending {
                case .finished: run.finished += 1
                case .failed(let failure): run.failures.append(failure)
                case .cancelled: run.cancelled += 1
                case .unfinished: run.unfinished += 1
                }
            }
            return run
        }
    }
}

/// Why a call to the queue failed. Failures of transfers are in their ``TransferResult``.
public enum NetworkQueueFailure: Error, Hashable, Sendable {
    /// libcurl or the system cannot provide what the queue needs, such as a thread.
    case cannotStart(TransferFailure)
    /// The text is no usable URL.
    case badURL(TransferURL.Fault)
    /// The name is no path below the target folder; for example it is absolute or contains `..`.
    case badName(TargetPath.Fault)
    /// The spec has no URL.
    case noURL
    /// The URL of an upload ends in `/`, and what is sent has no name.
    case noUploadName
    /// The queue has been closed.
    case closed

    /// One line for the user.
    public var message: String {
        switch self {
        case .cannotStart(let failure): failure.message
        case .badURL(let fault): fault.message
        case .badName(let fault): "the name \(fault.message)"
        case .noURL: "a transfer needs a URL"
        case .noUploadName: "the URL ends in /, and what is sent has no name"
        case .closed: "the queue is closed"
        }
    }
}

extension NetworkQueue {
    /// Downloads a small body into memory, in the queue's order and within its limits.
    ///
    /// - Parameters:
    ///   - url: `http`, `https`, `ftp`, `ftps` or `sftp`.
    ///   - limit: a larger body fails with ``TransferFailure/tooLarge(limit:size:)``.
    ///   - options: as for ``add(_:mirrors:name:folder:options:startsPaused:)``; its `maxSize` is replaced by the limit.
    /// - Returns: the bytes.
    /// - Throws: ``NetworkQueueFailure``, ``TransferFailure``; `CancellationError` when the queue was closed, or the transfer
    ///   was cancelled.
    public func data(
        from url: String, atMost limit: ByteCount = ByteCount(bytes: 1 << 20), options: TransferSettings? = nil
    ) async throws -> [UInt8] {
        // The engine writes files: this one is in a folder of its own, which is removed.
        let folder = FileManager.default.temporaryDirectory.path + "/winch-data-" + UUID().uuidString
        guard mkdir(folder, 0o700) == 0 else {
            throw TransferFailure.folder(folder, reason: String(cString: strerror(errno)))
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var options = options ?? settings.options
        options.maxSize = limit
        let transfer = try add(url, name: "data", folder: folder, options: options)
        let result = await transfer.result()
        switch result.ending {
        case .finished: return Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/data")))
        case .failed(let failure): throw failure
        case .cancelled: throw CancellationError()
        case .unfinished:
            transfer.cancel()
            throw CancellationError()
        }
    }
}
