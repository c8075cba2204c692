/// Letters beyond ASCII that a terminal without UTF-8 can show: those of a single-byte encoding such as Latin-1.
public struct Letters: Hashable, Sendable {
    private let scalars: Set<Unicode.Scalar>

    public static let none = Letters([])

    public init(_ scalars: some Sequence<Unicode.Scalar>) {
        self.scalars = Set(scalars)
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool { scalars.contains(scalar) }
}
