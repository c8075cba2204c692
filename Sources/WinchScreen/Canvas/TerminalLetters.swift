/// Letters beyond ASCII that a terminal without UTF-8 can show: those of a single-byte encoding such as Latin-1.
package struct TerminalLetters: Hashable, Sendable {
    private let scalars: Set<Unicode.Scalar>

    package static let none = TerminalLetters([])

    package init(_ scalars: some Sequence<Unicode.Scalar>) {
        self.scalars = Set(scalars)
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool { scalars.contains(scalar) }
}
