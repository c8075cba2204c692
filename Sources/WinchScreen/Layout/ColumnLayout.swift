/// Where the table's columns stand at a given width.
///
/// From wide to narrow they go in this order: host (below 150 columns), done/size (100), time left (76), rate (64),
/// state in words (52; its sign in the mark stays). Mark, name, bar and percent are always there. What is left over goes
/// to name and bar, then to state and host, then to name, and all the rest to the bar.
struct ColumnLayout: Hashable, Sendable {
    enum Column: Hashable, Sendable, CaseIterable {
        case mark, name, bar, percent, progress, rate, left, state, host
    }

    struct Field: Hashable, Sendable {
        let column: Column
        let start: Int
        fileprivate(set) var width: Int
        var end: Int { start + width }
    }

    /// Left to right, without overlap, at least one blank between two.
    let fields: [Field]

    subscript(column: Column) -> Field? { fields.first { $0.column == column } }

    /// - Parameter columns: of the screen, 40 or more; what is narrower is laid out as if it were 40.
    static func fitting(_ columns: Int) -> ColumnLayout {
        let columns = max(40, columns)
        let margin = ScreenLayout(columns: columns, rows: 24).margin
        let shown = Column.allCases.filter { $0.appears <= columns }
        var widths = Dictionary(uniqueKeysWithValues: shown.map { ($0, $0.least) })
        let gaps = shown.dropFirst().reduce(0) { $0 + $1.gap }
        var spare = columns - 2 * margin - gaps - widths.values.reduce(0, +)

        /// Gives up to `most` columns in all to one, of at most `share` of what is spare.
        func grow(_ column: Column, to most: Int, share: Double = 1) {
            guard let width = widths[column], spare > 0 else { return }
            let more = max(0, min(most - width, Int(Double(spare) * share)))
            widths[column] = width + more
            spare -= more
        }
        grow(.name, to: 28, share: 0.55)
        grow(.bar, to: 16)
        grow(.name, to: 28)
        grow(.state, to: 25)
        grow(.name, to: 36, share: 0.5)
        grow(.bar, to: 28)
        grow(.host, to: 28)
        grow(.name, to: 64, share: 0.5)
        grow(.state, to: 40, share: 0.3)
        grow(.bar, to: .max)

        var fields: [Field] = []
        for column in shown {
            let start = fields.last.map { $0.end + column.gap } ?? margin
            fields.append(Field(column: column, start: start, width: widths[column] ?? 0))
        }
        return ColumnLayout(fields: fields)
    }
}

extension ColumnLayout.Column {
    /// The narrowest screen that has the column.
    var appears: Int {
        switch self {
        case .mark, .name, .bar, .percent: 40
        case .state: 52
        case .rate: 64
        case .left: 76
        case .progress: 100
        case .host: 150
        }
    }

    /// Columns that it cannot do without: the longest number for those that hold numbers.
    var least: Int {
        switch self {
        case .mark: 3
        case .name: 14
        case .bar: 8
        case .percent: 4
        case .progress: 17
        case .rate: 10
        case .left: 9
        case .state: 10
        case .host: 16
        }
    }

    /// Blanks before it.
    var gap: Int {
        switch self {
        case .mark: 0
        case .name, .percent: 1
        case .bar, .progress, .rate, .left, .state, .host: 2
        }
    }

    var heading: String {
        switch self {
        case .mark, .percent: ""
        case .name: "Name"
        case .bar: "Progress"
        case .progress: "Done/size"
        case .rate: "Rate"
        case .left: "Left"
        case .state: "State"
        case .host: "Host"
        }
    }

    /// Numbers keep to the right, so that their digits stand below each other.
    var alignment: Canvas.Alignment {
        switch self {
        case .mark, .name, .bar, .state, .host: .left
        case .percent, .progress, .rate, .left: .right
        }
    }
}
