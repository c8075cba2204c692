import CNats
import Synchronization

/// A subscription, until `end` or until its connection ends.
final class NatsSubscription: Sendable {
    /// The C side's context: lives until its last call.
    final class Receiver: Sendable {
        let take: @Sendable (NatsMessage) -> Void
        init(_ take: @escaping @Sendable (NatsMessage) -> Void) { self.take = take }
    }

    /// Guards the pointer, which is freed once.
    private let pointer: Mutex<Pointer?>

    // The subscription of libnats, which may be used on any thread; the mutex above guards that it is freed once.
    struct Pointer: @unchecked Sendable {
        let value: OpaquePointer
    }

    init(_ connection: OpaquePointer, _ subject: String, _ take: @escaping @Sendable (NatsMessage) -> Void)
        throws(FleetFault)
    {
        let receiver = Unmanaged.passRetained(Receiver(take))
        var made: OpaquePointer?
        let status = winch_nats_subscribe(
            &made, connection, subject,
            { message, context in
                guard let message, let context else { return }
                Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue().take(NatsMessage(message))
            },
            { context in context.map { Unmanaged<Receiver>.fromOpaque($0).release() } },
            receiver.toOpaque())
        guard status == 0, let made else {
            receiver.release()
            throw .closed(reason: "no subscription (\(status))")
        }
        pointer = Mutex(Pointer(value: made))
    }

    func end() {
        let old = pointer.withLock { $0.take() }
        if let old { winch_nats_unsubscribe(old.value) }
    }

    deinit { end() }
}
