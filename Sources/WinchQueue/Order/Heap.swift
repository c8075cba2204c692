/// A binary heap: the smallest element first, in O(log n). Equal elements may become one.
struct Heap<Element: Comparable & Sendable>: Sendable {
    private var elements: [Element] = []
    /// How many different ones there were when last looked.
    private var different = 0

    var count: Int { elements.count }
    var first: Element? { elements.first }

    mutating func insert(_ element: Element) {
        if elements.count >= 2 * max(different, Self.few) { dropEqual() }
        elements.append(element)
        var child = elements.count - 1
        while child > 0, elements[child] < elements[(child - 1) / 2] {
            elements.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Duplicates are dropped: an element inserted repeatedly is stored once.
    private mutating func dropEqual() {
        var last: Element?
        elements.sort()
        elements.removeAll { element in
            defer { last = element }
            return element == last
        }
        different = elements.count
    }

    /// Less is not worth a look.
    private static var few: Int { 512 }

    mutating func popFirst() -> Element? {
        guard let last = elements.popLast() else { return nil }
        guard let first = elements.first else { return last }
        elements[0] = last
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < elements.count && elements[child] < elements[smallest] {
                smallest = child
            }
            if smallest == parent { return first }
            elements.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
