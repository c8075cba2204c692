extension Array {
    /// The first index from which on `predicate` holds, in an array where it never ceases to; `count` where it never does.
    package func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
