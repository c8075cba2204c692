/// Finds what was probably meant by a name that nobody knows.
public enum NearestName {
    /// The name that is nearest to what was typed, in either case; `nil` when none is near enough to be meant.
    ///
    /// The distance is the number of letters to put in, leave out, exchange or swap with their neighbour. What is typed may
    /// also be near to the beginning of a name, up to a hyphen, or be one of three letters or more: `limt` and `lim` mean
    /// `limit-rate`. Of names that are equally near the first counts.
    ///
    /// - Source: https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance (optimal string alignment).
    public static func of(_ typed: some StringProtocol, among names: some Sequence<String>) -> String? {
        let typed = Array(typed.lowercased().unicodeScalars)
        guard typed.count <= longest else { return nil }
        var best: (name: String, distance: Int)?
        for name in names {
            let distance = distance(from: typed, toNameOf: Array(name.lowercased().unicodeScalars))
            if distance <= tolerance(for: typed.count), distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// Something to put behind a message: `; did you mean limit-rate?`, or nothing.
    ///
    /// - Parameter prefix: what stands before the name where it is typed, such as `--`.
    public static func question(
        for typed: some StringProtocol, among names: some Sequence<String>, prefix: String = ""
    ) -> String {
        of(typed, among: names).map { "; did you mean \(prefix)\($0)?" } ?? ""
    }

    /// No name has so many letters.
    private static let longest = 40

    /// A third of the letters may be wrong; of two letters none can be told from another name.
    private static func tolerance(for count: Int) -> Int { min(count / 3, 3) }

    private static func distance(from typed: [Unicode.Scalar], toNameOf name: [Unicode.Scalar]) -> Int {
        var least = edits(from: typed, to: name[...])
        if typed.count >= 3, name.starts(with: typed) { least = min(least, 1) }
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
