package enum NearestName {
    /// The name with the smallest edit distance from `typed`, without regard to case; `nil` when the distance of every name
    /// is above the tolerance.
    ///
    /// An edit is a letter inserted, removed, replaced or swapped with its neighbour. `typed` is also compared with the
    /// beginning of each name up to a hyphen, and a prefix of three letters or more has distance 1: both `limt` and `lim`
    /// find `limit-rate`. Of several names with the same distance one that is meant as a whole is returned, else the first.
    ///
    /// - Source: https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance (optimal string alignment).
    package static func of(_ typed: some StringProtocol, among names: some Sequence<String>) -> String? {
        let typed = Array(typed.lowercased().unicodeScalars)
        guard typed.count <= longest else { return nil }
        var best: (name: String, rank: Int)?
        for name in names {
            let scalars = Array(name.lowercased().unicodeScalars)
            let whole = edits(from: typed, to: scalars[...])
            let least = min(whole, distance(from: typed, toPartOf: scalars))
            let rank = least * 2 + (whole == least ? 0 : 1)
            if least <= tolerance(for: typed.count), rank < best?.rank ?? .max { best = (name, rank) }
        }
        return best?.name
    }

    /// The end of an error message: `; did you mean limit-rate?`, or empty without a suggestion.
    ///
    /// - Parameter prefix: text before the suggested name, such as `--`.
    package static func question(
        for typed: some StringProtocol, among names: some Sequence<String>, prefix: String = ""
    ) -> String {
        of(typed, among: names).map { "; did you mean \(prefix)\($0)?" } ?? ""
    }

    /// Longer input is not compared: no name has so many letters.
    private static let longest = 40

    /// The largest distance for a suggestion: a third of the letters, at most 3. With one or two letters it is 0, because one
    /// edit turns them into almost any short name.
    private static func tolerance(for count: Int) -> Int { min(count / 3, 3) }

    private static func distance(from typed: [Unicode.Scalar], toPartOf name: [Unicode.Scalar]) -> Int {
        var least = typed.count >= 3 && name.starts(with: typed) ? 1 : Int.max
        for (index, scalar) in name.enumerated() where scalar == "-" {
            least = min(least, edits(from: typed, to: name[..<index]))
        }
        return least
    }

    private static func edits(from typed: [Unicode.Scalar], to name: ArraySlice<Unicode.Scalar>) -> Int {
        let name = Array(name)
        var before: [Int] = []
        var last = Array(0...name.count)
        for (row, letter) in typed.enumerated() {
            var next = [row + 1]
            for (column, other) in name.enumerated() {
                let exchanged = last[column] + (letter == other ? 0 : 1)
                var least = min(exchanged, last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, letter == name[column - 1], typed[row - 1] == other {
                    least = min(least, before[column - 1] + 1)
                }
                next.append(least)
            }
            (before, last) = (last, next)
        }
        return last[name.count]
    }
}
