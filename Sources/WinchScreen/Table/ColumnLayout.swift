import WinchBatch

/// Where the table's columns stand at a given width.
///
/// The columns are those that the user chose, or the standard ones of the width. If they do not all fit, the least
/// important are dropped first (`Traits.worth`); mark and name always stay. The remaining width is distributed by
/// `stages`, so that the table always ends at the margin.
///
/// A reason such as `404 not found` always begins at `words`, whatever the row's state, and may extend over the
/// columns to the right of it that contain numbers only while bytes move.
struct ColumnLayout: Hashable, Sendable {
    /// The raw values are the names in the configuration.
    enum Column: String, Hashable, Sendable, CaseIterable {
        case mark, name, machine, folder, bar, percent, done, size, state, rate, left, graph, ends, elapsed, mean, host
        case added
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

    /// - Parameter columns: width of the screen.
    static func fitting(
        _ columns: Int, choice: ColumnChoice = .automatic, isFleet: Bool = false, hasFolders: Bool = false
    ) -> ColumnLayout {
        guard columns >= 40 else { return narrow(columns) }
        let margin = ScreenLayout(columns: columns, rows: 24).margin
        let room = columns - 2 * margin
        var shown = choice.isAutomatic ? Column.standard.filter { $0.traits.appears <= columns } : choice.columns
        shown = [.mark] + shown.filter { $0 != .mark }
        if hasFolders, choice.isAutomatic, columns >= Column.folder.traits.appears,
            let name = shown.firstIndex(of: .name)
        {
            shown.insert(.folder, at: name + 1)
        }
        if isFleet, let name = shown.firstIndex(of: .name) { shown.insert(.machine, at: name + 1) }
        while needed(shown) > room, let least = shown.compactMap(\.traits.worth).min() {
            shown.removeAll { $0.traits.worth == least }
        }
        var widths = Dictionary(uniqueKeysWithValues: shown.map { ($0, $0.traits.least) })
        var spare = max(0, room - needed(shown))
        for stage in stages {
            guard let width = widths[stage.column], spare > 0 else { continue }
            let more = max(0, min(stage.most - width, Int(Double(spare) * stage.share)))
            widths[stage.column] = width + more
            spare -= more
        }
        // The name always exists: it takes the width that no stage has distributed.
        widths[.name, default: 0] += spare

        var fields: [Field] = []
        for (place, column) in shown.enumerated() {
            let start = fields.last.map { $0.end + gap(before: column, after: shown[place - 1]) } ?? margin
            fields.append(Field(column: column, start: start, width: widths[column] ?? 0))
        }
        return ColumnLayout(fields: fields)
    }

    /// Mark, name and percentage, whatever the user chose: there is no room for more.
    private static func narrow(_ columns: Int) -> ColumnLayout {
        let start = Column.mark.traits.least + gap(before: .name, after: .mark)
        let percent = max(start, columns - Column.percent.traits.least)
        return ColumnLayout(fields: [
            Field(column: .mark, start: 0, width: Column.mark.traits.least),
            Field(column: .name, start: start, width: max(0, percent - gap(before: .percent, after: .name) - start)),
            Field(column: .percent, start: percent, width: Column.percent.traits.least),
        ])
    }

    /// How the remaining width is distributed, one stage after the other: `column` gets `share` of it, up to a width
    /// of `most`.
    private static let stages: [(column: Column, most: Int, share: Double)] = [
        (.name, 24, 0.85), (.machine, 16, 0.3), (.bar, 12, 1), (.name, 32, 0.75), (.bar, 18, 1), (.folder, 32, 0.5),
        (.name, 44, 0.6), (.host, 22, 0.5), (.bar, 26, 0.5), (.graph, 24, 0.5), (.name, 64, 0.6), (.state, 24, 0.3),
        (.host, 32, 0.5), (.folder, 48, 0.5), (.bar, 48, 0.6), (.name, 100, 0.6), (.bar, .max, 1),
    ]

    private static func needed(_ columns: [Column]) -> Int {
        zip(columns, columns.dropFirst()).reduce(columns.first?.traits.least ?? 0) { sum, pair in
            sum + gap(before: pair.1, after: pair.0) + pair.1.traits.least
        }
    }

    /// Blanks between two columns: one after the mark and between a bar and its percentage, else two.
    private static func gap(before column: Column, after other: Column) -> Int {
        other == .mark || (column == .percent && other == .bar) ? 1 : 2
    }
}

extension ColumnLayout {
    /// The screen columns for the words of a row's state: the state column, else the first column that is empty
    /// unless bytes move; in both cases with such columns right of it. `nil` if there are neither.
    var words: Range<Int>? {
        guard
            let first = fields.firstIndex(where: { $0.column == .state })
                ?? fields.firstIndex(where: \.column.traits.isLive)
        else { return nil }
        let last = fields[(first + 1)...].prefix { $0.column.traits.isLive }.last ?? fields[first]
        return fields[first].start..<last.end
    }
}

extension ColumnLayout.Column {
    /// The columns if the user has chosen none; each is shown from the screen width `appears` on.
    static let standard: [Self] = [.name, .bar, .percent, .done, .size, .state, .rate, .left, .graph, .host]

    /// All that is to be said of a column except its value, which `TransferRow` draws.
    struct Traits {
        let heading: String
        /// What the column shows, for the columns panel.
        let description: String
        /// The least width; for a column of numbers that of the longest number.
        let least: Int
        /// If the columns do not all fit, the one with the lowest worth is dropped first; `nil`: never.
        let worth: Int?
        /// The narrowest screen on which a column of the standard ones is shown.
        let appears: Int
        /// What a click on the heading sorts by.
        let sort: RowSort.Column
        /// Numbers are aligned to the right, so that their digits are below each other.
        let alignment: Canvas.Alignment
        /// The column is empty unless bytes move, so a reason may be written over it.
        let isLive: Bool

        init(
            _ heading: String, _ description: String, least: Int, worth: Int? = nil, appears: Int = .max,
            sort: RowSort.Column = .queue, align: Canvas.Alignment = .left, isLive: Bool = false
        ) {
            (self.heading, self.description, self.least, self.worth) = (heading, description, least, worth)
            (self.appears, self.sort, alignment, self.isLive) = (appears, sort, align, isLive)
        }
    }

    var traits: Traits {
        switch self {
        case .mark: Traits("", "cursor, tag and state sign", least: 3, appears: 40)
        case .name: Traits("Name", "file name", least: 14, appears: 40, sort: .name)
        case .machine: Traits("Machine", "machine that downloads it", least: 8, worth: 15)
        case .folder: Traits("Folder", "folder that it is saved in", least: 16, worth: 4, appears: 140)
        case .bar: Traits("Progress", "progress as a bar", least: 8, worth: 14, appears: 40, sort: .done)
        case .percent: Traits("", "progress in percent", least: 4, worth: 13, appears: 40, sort: .done, align: .right)
        case .done: Traits("Done", "bytes on disk", least: 8, worth: 8, appears: 104, sort: .done, align: .right)
        case .size: Traits("Size", "size of the file", least: 8, worth: 9, appears: 78, sort: .size, align: .right)
        // 14: `16 connections`.
        case .state:
            Traits("State", "state, or the reason why nothing moves", least: 14, worth: 11, appears: 104, sort: .state)
        case .rate:
            Traits("Rate", "current rate", least: 10, worth: 12, appears: 52, sort: .rate, align: .right, isLive: true)
        case .left:
            Traits("Left", "time left", least: 9, worth: 10, appears: 64, sort: .left, align: .right, isLive: true)
        case .graph:
            Traits(
                "Last minute", "rate of the last minute as a curve", least: 12, worth: 2, appears: 180, sort: .rate,
                isLive: true)
        case .ends:
            Traits("Ends", "time of day at which it ends", least: 8, worth: 7, sort: .left, align: .right, isLive: true)
        case .elapsed: Traits("Elapsed", "time since its start", least: 9, worth: 6, sort: .elapsed, align: .right)
        case .mean: Traits("Mean", "mean rate since its start", least: 10, worth: 5, sort: .mean, align: .right)
        case .host: Traits("Host", "host that it is fetched from", least: 16, worth: 3, appears: 150, sort: .host)
        case .added:
            Traits("Added", "time of day at which it was added", least: 8, worth: 1, sort: .added, align: .right)
        }
    }
}

/// The columns of the table that the user wants, from left to right.
///
/// The name is always among them: a row without it could not be identified.
package struct ColumnChoice: Hashable, Sendable {
    /// Without duplicates; empty: the standard columns for the width of the screen.
    private(set) var columns: [ColumnLayout.Column] = []

    package static let automatic = ColumnChoice()

    package var isAutomatic: Bool { columns.isEmpty }

    /// The names of all columns that can be chosen, in their standard order.
    package static let all: [String] = choosable.map(\.rawValue)

    static let choosable = ColumnLayout.Column.allCases.filter { ![.mark, .machine, .folder].contains($0) }

    private init() {}

    /// - Parameter columns: `mark` and duplicates are dropped, the name is put first if it is missing; empty is
    ///   automatic.
    init(_ columns: some Sequence<ColumnLayout.Column>) {
        for column in columns where Self.choosable.contains(column) && !self.columns.contains(column) {
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
