import WinchBatch

/// The columns of the table that the user wants, from left to right.
///
/// The name is always among them: a row without it could not be identified.
package struct ColumnChoice: Hashable, Sendable {
    /// Without duplicates; empty: the standard columns for the width of the screen.
    private(set) var columns: [ColumnLayout.Column] = []

    /// The standard columns for the width of the screen.
    package static let automatic = ColumnChoice()

    package var isAutomatic: Bool { columns.isEmpty }

    /// The names of all columns that can be chosen, in their standard order.
    package static let all: [String] = choosable.map(\.rawValue)

    static let choosable = ColumnLayout.Column.allCases.filter { $0 != .mark && $0 != .machine }

    private init() {}

    /// - Parameter columns: `mark` and duplicates are dropped, the name is put first if it is missing; empty is
    ///   automatic.
    init(_ columns: some Sequence<ColumnLayout.Column>) {
        for column in columns where column != .mark && column != .machine && !self.columns.contains(column) {
            self.columns.append(column)
        }
        if !self.columns.isEmpty, !self.columns.contains(.name) { self.columns.insert(.name, at: 0) }
    }

    /// Reads `name bar rate`, separated by commas or blanks; `auto` or nothing for the standard columns.
    ///
    /// - Returns: the valid columns, and an error message for every other word.
    package static func parsing(_ text: some StringProtocol) -> (choice: ColumnChoice, problems: [String]) {
        let words = text.split { $0 == "," || $0.isWhitespace }.map { $0.lowercased() }
        guard words != ["auto"] else { return (.automatic, []) }
        var columns: [ColumnLayout.Column] = []
        var problems: [String] = []
        for word in words {
            if let column = ColumnLayout.Column(rawValue: word), choosable.contains(column) {
                columns.append(column)
            } else {
                problems.append(
                    "there is no column \(word.prefix(40))" + NearestName.question(for: word, among: all + ["auto"]))
            }
        }
        return (ColumnChoice(columns), problems)
    }

    /// The choice as text that `parsing` reads.
    package var text: String { isAutomatic ? "auto" : columns.map(\.rawValue).joined(separator: ",") }
}
