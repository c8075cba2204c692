/// A value on the heap, or none: a large part that most of many values do without.
struct Boxed<Value: Sendable>: Sendable {
    /// `@unchecked Sendable`: written only where nobody else holds it.
    private final class Storage: @unchecked Sendable {
        var value: Value?

        init(_ value: Value?) {
            self.value = value
        }
    }

    /// `nil` as long as there has been no value.
    private var storage: Storage?

    init() {}

    /// Changed in place, never copied for that.
    var value: Value? {
        get { storage?.value }
        _modify {
            guard var held = storage else {
                var new: Value?
                yield &new
                if let new { storage = Storage(new) }
                return
            }
            storage = nil
            if !isKnownUniquelyReferenced(&held) { held = Storage(held.value) }
            yield &held.value
            if held.value != nil { storage = held }
        }
    }
}
