import HeapModule
import WinchModel

/// The transfer to start next: those that wait, by their place in the queue, those whose host is busy set aside.
///
/// Entries are never searched for; one that no longer holds (started otherwise, paused, moved) is dropped when its turn
/// comes, by the `isCurrent` of the caller. Each operation costs O(log n), also with 100,000 waiting for one busy host.
struct WaitingLine: Sendable {
    struct Place: Comparable, Sendable {
        var rank: Int
        var id: TransferID

        static func < (left: Place, right: Place) -> Bool { left.rank < right.rank }
    }

    private var ready = Heap<Place>()
    private var parked: [String: Heap<Place>] = [:]

    var hostsWithParked: some Collection<String> { parked.keys }

    func parked(at host: String) -> Int { parked[host]?.count ?? 0 }

    mutating func insert(_ id: TransferID, rank: Int) {
        ready.insert(Place(rank: rank, id: id))
    }

    /// Takes out the others.
    mutating func retain(where isKept: (Place) -> Bool) {
        ready.retain(where: isKept)
        for host in parked.keys { parked[host]?.retain(where: isKept) }
        parked = parked.filter { $0.value.first != nil }
    }

    /// The first whose host has a place.
    ///
    /// - Parameters:
    ///   - isCurrent: whether the entry still holds.
    ///   - busyHost: the host of a transfer when it has no slot left, else `nil`.
    mutating func next(isCurrent: (Place) -> Bool, busyHost: (TransferID) -> String?) -> TransferID? {
        while let place = ready.popFirst() {
            guard isCurrent(place) else { continue }
            guard let host = busyHost(place.id) else { return place.id }
            parked[host, default: Heap()].insert(place)
        }
        return nil
    }

    /// The host may have a place: its first parked transfer that still waits may try again.
    mutating func unpark(_ host: String, isCurrent: (Place) -> Bool) {
        while let place = parked[host]?.popFirst() {
            if parked[host]?.first == nil { parked[host] = nil }
            guard isCurrent(place) else { continue }
            ready.insert(place)
            return
        }
    }
}

/// A heap of swift-collections that drops duplicates: an element inserted repeatedly is stored at most a few times. Its
/// users insert an element again whenever it may be due, and never search for the old one.
struct Heap<Element: Comparable & Sendable>: Sendable {
    private var elements = HeapModule.Heap<Element>()
    /// The number of distinct elements when duplicates were last dropped.
    private var distinct = 0

    var count: Int { elements.count }
    var first: Element? { elements.min }

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
