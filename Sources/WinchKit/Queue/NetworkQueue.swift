public import WinchModel
import WinchQueue
import WinchTransport

/// A queue of transfers that runs in the background. Add transfers to it, follow their progress, and wait for their end.
///
/// A transfer starts as soon as a slot is free, unless the queue was created with ``Settings/isHeld``; then all transfers
/// wait for ``go()``. Every method may be called on any thread, and returns at once unless it is `async`.
///
/// The queue runs as long as there is a reference to it, to one of its transfers, or to a sequence or a binding that
/// follows one of them. When the last reference is released it closes its connections and keeps the part files for a
/// later run. ``close()`` does the same and waits for the end.
public final class NetworkQueue: Sendable {
    let hub: UpdateBroadcaster
    let inbox: Inbox
    /// As passed to `init`; the defaults for `add`. Not changed by ``setSlots(_:)`` and the like.
    public let settings: Settings

    /// Creates the queue and starts its threads.
    ///
    /// - Throws: ``NetworkQueueFailure/cannotStart(_:)`` when libcurl or the system cannot provide what it needs.
    public init(_ settings: Settings = Settings()) throws(NetworkQueueFailure) {
        let hub = UpdateBroadcaster(mode: settings.mode)
        let engineHost: EngineHost
        do throws(TransferFailure) {
            engineHost = try EngineHost(settings: settings.queue, now: { SystemClock.moment() })
        } catch {
            throw .cannotStart(error)
        }
        engineHost.feed.subscribe(hub)
        (self.hub, self.settings, inbox) = (hub, settings, engineHost.inbox)
        Task.detached {
            _ = await engineHost.run()
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

    /// Adds many files in one step.
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
        hub.close { inbox.send(.quit) }
        // Not cancellable: also when the caller's task is cancelled, this returns only after the engine has ended.
        await hub.ended()
    }

    /// - Returns: the ID of the first one; the others follow.
    func take(_ specs: [TransferSpec]) throws(NetworkQueueFailure) -> TransferID {
        // The engine numbers the transfers in the order of `specs`.
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
