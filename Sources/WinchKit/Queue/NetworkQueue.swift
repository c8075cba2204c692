public import WinchCore
import WinchEngine
import WinchTransport

/// A queue of transfers that runs in the background: add to it, follow it, wait for its end.
///
/// What is added starts by itself as soon as a slot is free, unless the queue was made with
/// ``Settings/isHeld``; then everything waits for ``go()``. Every method may be called from any thread and returns at
/// once, but those that are `async`.
///
/// The queue works as long as somebody holds it, one of its transfers, or something that follows one of them. With the
/// last reference it ends by itself: connections are closed, parts stay on disk for another run. ``close()`` does the
/// same and waits for it.
public final class NetworkQueue: Sendable {
    let hub: Hub
    let inbox: Inbox
    /// What `add` uses when nothing else is said.
    public let settings: Settings

    /// - Throws: ``NetworkQueueFailure/cannotStart(_:)`` when libcurl or the system gives no means to begin.
    public init(_ settings: Settings = Settings()) throws(NetworkQueueFailure) {
        let hub = Hub(mode: settings.mode)
        let room: EngineRoom
        do throws(TransferFailure) {
            room = try EngineRoom(
                settings: settings.queue, now: { SystemClock.moment() }, post: { hub.take($0) })
        } catch {
            throw .cannotStart(error)
        }
        (self.hub, self.settings, inbox) = (hub, settings, room.inbox)
        Task.detached {
            _ = await room.run()
            hub.end()
        }
    }

    deinit {
        inbox.send(.quit)
    }

    /// Adds one file.
    ///
    /// - Parameters:
    ///   - url: `http`, `https`, `ftp`, `ftps` or `sftp`.
    ///   - mirrors: other addresses of the same file, tried in order when the first fails.
    ///   - name: the file's path below the folder; without it the server or the URL names it.
    ///   - folder: instead of that of the queue's settings; made when missing.
    ///   - options: how to fetch, instead of those of the queue's settings.
    ///   - startsPaused: it waits for ``Transfer/resume()``.
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

    /// Adds many files in one step, such as those of a batch file that `BatchParser` has read.
    ///
    /// - Returns: one transfer for each, in the same order.
    /// - Throws: ``NetworkQueueFailure/closed``; ``NetworkQueueFailure/noURL`` when one has no address,
    ///   ``NetworkQueueFailure/uploadsUnsupported`` when one is to send: then none is added.
    @discardableResult
    public func add(_ specs: [TransferSpec]) throws(NetworkQueueFailure) -> [Transfer] {
        guard !specs.isEmpty else { return [] }
        guard specs.allSatisfy({ !$0.urls.isEmpty }) else { throw .noURL }
        guard specs.allSatisfy({ $0.direction == .down }) else { throw .uploadsUnsupported }
        let first = try take(specs).number
        return specs.enumerated().map { Transfer(id: TransferID(first + $0), spec: $1, queue: self) }
    }

    /// Closes every connection, keeps the parts of what is not complete, and returns when nothing runs any more.
    ///
    /// Whoever follows a transfer that is not settled gets its last state, and the sequence ends. A closed queue takes
    /// nothing in. May be called more than once.
    public func close() async {
        hub.close { inbox.send(.quit) }
        // Nobody ever cancels this: an order to close is carried out.
        await hub.ended()
    }

    /// - Returns: the number of the first.
    private func take(_ specs: [TransferSpec]) throws(NetworkQueueFailure) -> TransferID {
        // The engine numbers what it is given in this very order.
        let first = hub.add(specs) { inbox.add(specs.map { Addition(spec: $0) }) }
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
