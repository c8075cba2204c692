import Synchronization
import WinchModel

/// The streams that uploads read, by what they are: another attempt goes on with the reader of the one before, because what was
/// read cannot be had from the stream again. Shared by the threads of a transport.
final class OpenStreams: Sendable {
    enum Key: Hashable {
        case standardInput
        /// Given by a program that uses the library.
        case open(ObjectIdentifier)
        /// A FIFO, which each transfer opens for itself.
        case file(TransferID)
    }

    private let readers = Mutex<[Key: PipeReader]>([:])

    /// - Parameters:
    ///   - whenReadable: called in place of that of the attempt before.
    ///   - make: for the first attempt.
    func reader(
        _ key: Key, whenReadable: @escaping @Sendable () -> Void, make: () -> PipeReader
    ) -> PipeReader {
        let reader = readers.withLock { readers in
            let reader = readers[key] ?? make()
            readers[key] = reader
            return reader
        }
        reader.notify(whenReadable)
        return reader
    }

    /// The upload is complete.
    func forget(_ key: Key) { readers.withLock { $0[key] = nil } }

    /// The upload has failed for good or was cancelled: the thread of its reader ends, and the program that writes gets EPIPE.
    func abandon(_ order: UploadOrder, of id: TransferID) {
        switch order.content {
        case .form: break
        // Another attempt opens the FIFO again.
        case .file: readers.withLock { $0.removeValue(forKey: .file(id)) }?.stop()
        // There is one, and what was read of it is gone.
        case .standardInput: readers.withLock { $0[.standardInput] }?.abandon()
        case .open(let source):
            let reader = readers.withLock { $0.removeValue(forKey: .open(ObjectIdentifier(source))) }
            guard let reader else { return }
            reader.stop()
            source.fail("a part of it was read already")
        }
    }
}
