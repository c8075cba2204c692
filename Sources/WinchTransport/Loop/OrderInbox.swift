import Synchronization

/// Orders on their way to the loop, in the order given.
final class OrderInbox: Sendable {
    private let orders = Mutex<[Order]>([])

    /// - Returns: true when the loop must be woken: for the first order since it last looked.
    func put(_ order: Order) -> Bool {
        orders.withLock { orders in
            orders.append(order)
            return orders.count == 1
        }
    }

    func take() -> [Order] {
        orders.withLock { orders in
            defer { orders = [] }
            return orders
        }
    }
}
