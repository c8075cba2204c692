import HeapModule
import WinchModel

/// A heap of swift-collections that drops duplicates: an element inserted repeatedly is stored at most a few times. Its
/// users insert an element again whenever it may be due, and never search for the old one.
struct Heap<Element: Comparable & Sendable>: Sendable {
    private var elements = HeapModule.Heap<Element>()
    /// The number of distinct elements when duplicates were last dropped.
    private var distinct = 0

    var count: Int { elements.count }
    var first: Element? { elements.min }
    var unordered: [Element] { elements.unordered }

    mutating func insert(_ element: Element) {
        if elements.count >= 2 * max(distinct, Self.few) { dropEqual() }
        elements.insert(element)
    }

    mutating func retain(where isKept: (Element) -> Bool) {
        elements = HeapModule.Heap(elements.unordered.filter(isKept))
        distinct = elements.count
    }

    mutating func popFirst() -> Element? { elements.popMin() }

    private mutating func dropEqual() {
        var last: Element?
        var kept = elements.unordered.sorted()
        kept.removeAll { element in
            defer { last = element }
            return element == last
        }
        elements = HeapModule.Heap(kept)
        distinct = kept.count
    }

    /// Fewer elements are not worth a search for duplicates.
    private static var few: Int { 512 }
}

/// When something is due of a transfer, if it has opened no connection and was not cancelled since.
struct Alarm: Comparable, Sendable {
    var at: Moment
    /// The last one of the transfer when the alarm was set.
    var connection: ConnectionID

    var id: TransferID { connection.transfer }

    static func < (left: Alarm, right: Alarm) -> Bool { left.at < right.at }
}
