import WinchModel

extension DetailLines {
    /// The open connections, each with the bytes that it is still to bring, its rate and its age, and why there are not
    /// more.
    func connectionLines(_ details: TransferDetails) -> [DetailsPanel.Line] {
        guard !connections.isEmpty else { return [] }
        let hosts = Set(connections.map(\.host))
        let only = hosts.count == 1 ? hosts.first : nil
        let words = ConnectionWords.counted(connections.count, reason: details.connectionReason)
        var heading = look.text(words).wrapped(width, most: Self.mostLines).map { [Run($0, theme.title)] }
        if let only {
            let place = run(" \(look.symbols.dot) \(only)", theme.quiet)
            if heading.count == 1, heading[0][0].text.columns + place.text.columns <= width {
                heading[0].append(place)
            } else {
                heading.append([run("from \(only)", theme.quiet)])
            }
        }
        let columns = connectionColumns
        return [.blank] + heading.map { .runs($0) }
            + connections.flatMap { lines(of: $0, columns, isOfSameHost: only != nil) }
    }

    /// The widths of the columns for range, rate and age; the age is left out where it does not fit.
    private typealias Columns = (range: Int, rate: Int, age: Int)

    private var connectionColumns: Columns {
        var columns: Columns = (0, 0, 0)
        for connection in connections {
            columns.range = max(columns.range, range(of: connection).utf8.count)
            columns.rate = max(columns.rate, rate(of: connection).utf8.count)
            columns.age = max(columns.age, DurationFormat.text(now - connection.began).utf8.count)
        }
        if Self.numberWidth + columns.range + columns.rate + columns.age + 2 * Self.gap > width { columns.age = 0 }
        return columns
    }

    private func lines(
        of connection: OpenConnection, _ columns: Columns, isOfSameHost: Bool
    ) -> [DetailsPanel.Line] {
        let isStalled = connection.rate == .zero
        let sign = connection.range == nil ? " " : String(look.symbols.selection)
        var runs = [
            Run(look.text(sign), isStalled ? theme.warning : theme.key),
            run(" \(connection.number)".padded(to: Self.numberWidth - 1), theme.quiet),
            run(range(of: connection).padded(to: columns.range + Self.gap)),
            run(
                rate(of: connection).indented(to: columns.rate),
                isStalled ? theme.warning : connection.phase == .moving ? theme.text : theme.quiet),
        ]
        if columns.age > 0 {
            let age = DurationFormat.text(now - connection.began)
            runs.append(run(age.indented(to: columns.age + Self.gap), theme.quiet))
        }
        if isOfSameHost { return [.runs(runs)] }
        let used = runs.reduce(0) { $0 + $1.text.columns } + Self.gap
        let host = look.text(connection.host)
        if used + host.columns <= width { return [.runs(runs + [run("  "), Run(host, theme.quiet)])] }
        return [.runs(runs), .runs([run("   "), Run(host, theme.quiet)])]
    }

    /// `128 to 160 MiB`; with two units `900 KiB to 1.2 MiB`.
    func range(of connection: OpenConnection) -> String {
        guard let range = connection.range else { return "" }
        let (start, end) = (ByteCount(bytes: range.lowerBound), ByteCount(bytes: range.upperBound))
        let (from, to) = (NumberFormat.bytes(start), NumberFormat.bytes(end))
        guard let unit = to.split(separator: " ").last, from.hasSuffix(" \(unit)") else { return "\(from) to \(to)" }
        return "\(from.dropLast(unit.count + 1)) to \(to)"
    }

    /// Or what it waits for.
    func rate(of connection: OpenConnection) -> String {
        switch connection.phase {
        case .connecting: "connecting"
        case .requested: "requested"
        case .replying: "sent"
        case .moving where connection.rate == .zero: "stalled"
        case .moving: connection.rate.map(NumberFormat.rate) ?? ""
        }
    }

    /// Columns of the sign and the number.
    private static let numberWidth = 5
    private static let gap = 2
}

/// Of ASCII text, in which each character takes one column.
extension String {
    fileprivate func padded(to width: Int) -> String { self + blanks(to: width) }
    fileprivate func indented(to width: Int) -> String { blanks(to: width) + self }
    private func blanks(to width: Int) -> String { String(repeating: " ", count: max(0, width - utf8.count)) }
}

/// How many connections bring a file, in words.
enum ConnectionWords {
    /// `3 connections; more did not help`, `1 connection: the server speaks HTTP/1.0`.
    ///
    /// - Parameter reason: why there are not more; `nil`: more are tried, or not needed.
    static func counted(_ count: Int, reason: String?) -> String {
        let words = count.counted("connection")
        return reason.map { words + (count == 1 ? ": " : "; ") + $0 } ?? words
    }
}
