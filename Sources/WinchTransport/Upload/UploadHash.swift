import Hashing
import Synchronization
import WinchModel

/// The hash of bytes that are sent next, made on a thread of its own: reading 16 MiB from a slow disk would hold up all
/// transfers of the loop.
final class UploadHash: Sendable {
    private let function: HashFunction
    private let range: Range<Int64>
    private let body: UploadBody?
    private let outcome = Mutex<[UInt8]??>(nil)

    init(_ function: HashFunction, _ range: Range<Int64>, of source: UploadSource) {
        (self.function, self.range, body) = (function, range, source.body)
    }

    /// `nil`: not made yet; in it `nil`: the bytes cannot be read.
    var result: [UInt8]?? { outcome.withLock(\.self) }

    /// - Parameter whenDone: called on another thread.
    func start(whenDone: @escaping @Sendable () -> Void) {
        let run: @Sendable () -> Void = {
            let hash = self.make()
            self.outcome.withLock { $0 = .some(hash) }
            whenDone()
        }
        if !Threads.start(run) { run() }
    }

    private func make() -> [UInt8]? {
        var hash = RunningHash(function)
        var position = range.lowerBound
        while position < range.upperBound {
            let end = min(range.upperBound, position + Int64(1 << 20))
            guard let bytes = body?.bytes(position..<end) else { return nil }
            hash.update(bytes)
            position = end
        }
        return hash.digest()
    }
}
