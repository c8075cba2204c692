// By hand, because this is all that would be used of swift-algorithms, which adds 20 seconds to a release build and 1.8 MB to
// the program.

extension Array {
    /// The first index at which `predicate` holds, in an array in which it holds for every later element too; else `count`.
    package func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
