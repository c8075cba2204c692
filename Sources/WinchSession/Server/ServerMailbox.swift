import Synchronization

/// Values for the server's thread, until it takes them in the order in which they were put.
final class ServerMailbox<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    private let most: Int
    private let ring: @Sendable () -> Void

    /// - Parameters:
    ///   - most: beyond so many the oldest are dropped.
    ///   - ring: wakes the server's thread.
    init(most: Int = .max, ring: @escaping @Sendable () -> Void) {
        self.most = most
        self.ring = ring
    }

    /// May be called on any thread.
    func put(_ element: Element) {
        elements.withLock { elements in
            if elements.count == most { elements.removeFirst() }
            elements.append(element)
        }
        ring()
    }

    func take() -> [Element] {
        elements.withLock { elements in
            defer { elements = [] }
            return elements
        }
    }
}
