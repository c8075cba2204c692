import CTransport

/// TLS connections that were closed by a close_notify alert in this turn of the loop. Used on the loop's thread only.
///
/// A body that ends with its connection is complete only if the connection was closed by TLS: an attacker on the way
/// could cut it off anywhere.
///
/// - Source: RFC 9112, section 9.8.
final class TLSCloseNotices {
    let listener = UnsafeMutablePointer<winch_tls_listener>.allocate(capacity: 1)
    private var ended: Set<UnsafeRawPointer> = []

    init() {
        listener.initialize(
            to: winch_tls_listener(
                ended: { context, connection in
                    guard let context, let connection else { return }
                    Unmanaged<TLSCloseNotices>.fromOpaque(context).takeUnretainedValue().ended.insert(connection)
                },
                context: Unmanaged.passUnretained(self).toOpaque()))
    }

    deinit { listener.deallocate() }

    func contains(_ connection: UnsafeRawPointer) -> Bool { ended.contains(connection) }

    /// A new turn: addresses of connections are used again.
    func forget() { if !ended.isEmpty { ended = [] } }
}
