import WinchModel

struct DetailLines {
    let row: TransferSnapshot
    /// `nil` until the engine has sent them.
    let details: TransferDetails?
    /// With the figures to show.
    var connections: [OpenConnection] = []
    let look: Appearance
    let wallClock: WallClock
    let now: Moment
    /// Columns of a line.
    let width: Int
    /// Lines in view.
    var height = Int.max
    var workingFolder: WorkingFolder?
    var awaitsAnswer = false

    /// In fewer lines the graph of the rate would leave no room for a list of connections.
    private static let leastForRateFirst = 24
    /// The width of the longest label, `  expected`, and a blank.
    static let labelWidth = 11

    var theme: Theme { look.theme }

    var all: [DetailsPanel.Line] {
        var lines = named + place + state + warningLines
        guard let details else { return lines + [.blank, .runs([run("Loading details ...", theme.quiet)])] }
        // What changes is at the top, where it is visible without scrolling.
        let rate: [DetailsPanel.Line] = details.seconds.isEmpty ? [] : [.blank, .heading("Rate"), .graph(4)]
        let parts = map(details) + connectionLines(details)
        let isSplit = connections.count > 1 || details.ranges.count > 1
        lines += isSplit && height < Self.leastForRateFirst ? parts + rate : rate + parts
        lines += [.blank] + addresses(details) + [.blank] + file(details)
        if !details.attempts.isEmpty { lines += [.blank] + attempts(details) }
        if let reply = details.reply { lines += [.blank] + replyLines(reply) }
        if let facts = details.facts, !facts.headers.isEmpty { lines += [.blank] + headers(facts) }
        return lines
    }

    func run(_ text: String, _ style: Style? = nil) -> Run { Run(look.text(text), style ?? theme.text) }

    /// A field whose long value continues on the next lines: a URL that is cut is of no use.
    func field(_ label: String, _ text: String, _ style: Style? = nil) -> [DetailsPanel.Line] {
        let room = max(8, width - Self.labelWidth)
        var glyphs = look.text(text).glyphs[...]
        var lines: [DetailsPanel.Line] = []
        repeat {
            let piece = SafeText(glyphs, isASCII: look.isASCII).prefix(room)
            lines.append(
                .field(lines.isEmpty ? label : "", [Run(SafeText(piece, isASCII: look.isASCII), style ?? theme.text)]))
            glyphs = glyphs.dropFirst(max(1, piece.count))
        } while !glyphs.isEmpty && lines.count < Self.mostLines
        return lines
    }

    /// As `field`, broken between words.
    func prose(_ label: String, _ text: String, _ style: Style? = nil) -> [DetailsPanel.Line] {
        look.text(text).wrapped(max(8, width - Self.labelWidth), most: Self.mostLines).enumerated().map { place, line in
            .field(place == 0 ? label : "", [Run(line, style ?? theme.text)])
        }
    }

    /// Most lines of one field: a signed URL may have thousands of characters.
    static let mostLines = 4

    private var named: [DetailsPanel.Line] {
        look.text(row.name).wrapped(width, most: 2).map { .runs([Run($0, theme.title)]) }
    }

    /// Where it comes from and where it goes.
    private var place: [DetailsPanel.Line] {
        guard let details else { return [] }
        let url = field("URL", TransferURL.withoutSecrets(details.url))
        if row.direction == .up { return field("Source", details.source ?? "standard input") + url }
        return url + field("Folder", absolute(details.place))
    }

    private func absolute(_ folder: String) -> String { workingFolder?.absolute(folder) ?? folder }

    /// The state's sign and full description; a long reason is wrapped.
    private var state: [DetailsPanel.Line] {
        // The details have the transfer's own limit: without one, only the total limit can hold it back.
        let words = StateDescription(
            row, cause: nil, now: now, look: look, isTotalLimited: details.map { $0.rateLimit == nil } ?? false,
            awaitsAnswer: awaitsAnswer)
        var text = words.reason
        if case .failed(let failure) = row.phase { text = "failed: " + failure.message }
        if row.phase == .moving, let rate = row.rate { text += "  " + NumberFormat.rate(rate) }
        if row.phase == .moving, let finish = row.finish {
            text += "  " + TimeLeftFormat.left(finish - now, isGuessed: false)
        }
        let sign = Run(look.text(String(words.sign) + " "), words.style)
        return look.text(text).wrapped(max(8, width - 2), most: Self.mostLines).enumerated().map { place, line in
            .runs([place == 0 ? sign : run("  "), Run(line, words.style)])
        }
    }

    /// A warning about the file, and why the bar last moved back.
    private var warningLines: [DetailsPanel.Line] {
        var lines: [DetailsPanel.Line] = []
        if let warning = row.warning {
            lines += prose(
                warning.isNote ? "Note" : "Warning", warning.message, warning.isNote ? theme.text : theme.warning)
        }
        if let rebase = row.rebase, rebase.cause.isWarning {
            let at = wallClock.time(of: rebase.at)
            lines += prose("Set back", at + " " + rebase.words(in: .accurate), theme.quiet)
        }
        return lines
    }

    // MARK: Source

    private func addresses(_ details: TransferDetails) -> [DetailsPanel.Line] {
        let location = details.location.map { TransferURL.withoutSecrets($0) }
        var lines: [DetailsPanel.Line] = location.map { field("Redirect", $0) } ?? []
        let others = details.urls.indices.filter { $0 != details.mirror }
        for (place, index) in others.prefix(3).enumerated() {
            let url = TransferURL.withoutSecrets(details.urls[index])
            lines += field(place == 0 ? "Mirrors" : "", url, theme.quiet)
        }
        if others.count > 3 { lines += field("", "and \(others.count - 3) more", theme.quiet) }
        guard let facts = details.facts else { return lines + field("Server", row.host, theme.quiet) }
        let isV6 = facts.address.contains(":")
        let address = facts.address.isEmpty ? row.host : isV6 ? "[\(facts.address)]" : facts.address
        lines += field("Server", facts.port > 0 ? "\(address) port \(facts.port)" : address)
        lines += field("Protocol", facts.protocolName + (facts.status > 0 ? ", status \(facts.status)" : ""))
        let tls = [facts.tlsVersion, facts.tlsCipher].compactMap(\.self).joined(separator: ", ")
        lines += field("TLS", tls.isEmpty ? "none" : tls, tls.isEmpty ? theme.quiet : theme.text)
        return lines
    }

    // MARK: Destination

    private func file(_ details: TransferDetails) -> [DetailsPanel.Line] {
        if row.direction == .up { return source(details) }
        var lines: [DetailsPanel.Line] = []
        if let part = details.partPath {
            lines += field("Part", TransferDetails.joined(absolute(details.folder), part))
        }
        lines += sizeAndLimit(details, of: "download")
        lines += prose("Resume", resume(details), details.validator == nil ? theme.quiet : theme.text)
        return lines + checksums(details)
    }

    /// What is uploaded, and where it is kept at the server meanwhile.
    private func source(_ details: TransferDetails) -> [DetailsPanel.Line] {
        var lines: [DetailsPanel.Line] = []
        if let place = details.partPath, !row.phase.isSettled { lines += field("Kept as", place) }
        lines += sizeAndLimit(details, of: "upload")
        let words = details.partPath == nil ? "no: it is sent again from the start" : "from what the server has"
        return lines + prose("Resume", words, theme.quiet)
    }

    private func sizeAndLimit(_ details: TransferDetails, of noun: String) -> [DetailsPanel.Line] {
        let limit = details.rateLimit.map { field("Limit", "\(NumberFormat.rate($0)) for this \(noun)") }
        return field("Size", size(details)) + (limit ?? [])
    }

    private func size(_ details: TransferDetails) -> String {
        switch details.size {
        case .exact(let size): "\(NumberFormat.bytes(size)) (\(size.bytes) bytes)"
        case .declared(let size), .probed(let size):
            "\(NumberFormat.progress(details.have, of: size)) (\(size.bytes) bytes)"
        // Without facts the server has not answered yet, so the size may still become known.
        case .unknown where details.facts == nil: "not known yet"
        case .unknown where details.have == .zero: "unknown (not announced)"
        case .unknown: "unknown (not announced), \(NumberFormat.bytes(details.have)) so far"
        }
    }

    /// Whether an interrupted download can be resumed, and by which validator.
    private func resume(_ details: TransferDetails) -> String {
        switch details.validator {
        case .strongETag(let tag): "possible, by ETag \(tag)"
        case .lastModified(let date): "possible, by Last-Modified \(date)"
        case nil where details.facts.map { $0.status >= 400 } ?? true: "not known yet"
        // FTP and SFTP have no validators.
        case nil where ["ftp:", "ftps:", "sftp:"].contains(where: details.url.hasPrefix):
            "possible; the size and the last bytes are compared"
        case nil: "not possible; an interruption restarts from zero"
        }
    }

    /// A strip of cells for the parts of the file that are on disk, synced or not yet synced.
    private func map(_ details: TransferDetails) -> [DetailsPanel.Line] {
        guard row.direction == .down, let size = details.size.known?.bytes, size > 0, width > 8 else { return [] }
        let (symbols, marks) = (look.symbols, marks(details, of: size))
        let cells = (0..<width).map { x in
            let start = Self.position(x, of: width, in: size)
            let end = max(start + 1, Self.position(x + 1, of: width, in: size))
            let there = Self.bytes(of: details.ranges, in: start..<end)
            if marks.contains(x) { return Cell(symbols.selection, theme.key) }
            if there == 0 { return Cell(symbols.track, theme.track) }
            if there < end - start { return Cell(symbols.partial(4), theme.barMoving) }
            return Self.bytes(of: details.durable, in: start..<end) == end - start
                ? Cell(symbols.full, theme.barDone) : Cell(symbols.written, theme.barMoving)
        }
        let written = Self.bytes(of: details.ranges, in: 0..<size)
        let synced = Self.bytes(of: details.durable, in: 0..<size)
        let there =
            "\(NumberFormat.bytes(ByteCount(bytes: written))) on disk in \(details.ranges.count.counted("piece"))"
            + (synced > 0 ? ", \(NumberFormat.bytes(ByteCount(bytes: synced))) synced to disk" : "")
        let words = details.ranges.isEmpty ? "nothing yet" : there
        return [.blank, .heading("On disk"), .cells(cells)]
            + look.text(words).wrapped(width, most: 2).map { .runs([Run($0, theme.quiet)]) }
    }

    private static func bytes(of ranges: [Range<Int64>], in part: Range<Int64>) -> Int64 {
        ranges.reduce(0) { $0 &+ Int64($1.clamped(to: part).count) }
    }

    /// The cells in which connections work, when there are several.
    private func marks(_ details: TransferDetails, of size: Int64) -> Set<Int> {
        guard details.connections.count > 1 else { return [] }
        let places = details.connections.compactMap(\.range?.lowerBound)
        return BarSegments([], working: places, size: size)?.marks(width) ?? []
    }

    /// Offset in the file at which cell `x` begins. Computed with `Double`, since a size from the server may be as
    /// large as `Int64.max` and integers would overflow.
    private static func position(_ x: Int, of width: Int, in size: Int64) -> Int64 {
        Int64(min(Double(size) * Double(x) / Double(width), 0x1p62))
    }

    // MARK: History

    /// The attempts, the latest first, since it is of most interest.
    private func attempts(_ details: TransferDetails) -> [DetailsPanel.Line] {
        let count = details.attempts.count + details.forgottenAttempts
        var lines: [DetailsPanel.Line] = [.heading(count.counted("attempt"))]
        for attempt in details.attempts.reversed() {
            let when = wallClock.time(of: attempt.began, seenAt: now)
            lines.append(
                .runs([
                    run("#\(attempt.number) ", theme.key), run(when + "  ", theme.quiet),
                    run("\(span(of: attempt))\(NumberFormat.bytes(attempt.moved))  "), outcome(attempt),
                ]))
            let from = attempt.from > .zero ? " from \(NumberFormat.bytes(attempt.from))" : ""
            var under = [run("   \(attempt.host)\(from)", theme.quiet)]
            if case .failed(let failure) = attempt.outcome {
                under.append(run("  " + failure.message, theme.failure))
            }
            lines.append(.runs(under))
        }
        return lines
    }

    /// Duration of the attempt; empty if its end is unknown.
    private func span(of attempt: AttemptRecord) -> String {
        if attempt.ended == nil, attempt.outcome != .running { return "" }
        return DurationFormat.text((attempt.ended ?? now) - attempt.began) + "  "
    }

    private func outcome(_ attempt: AttemptRecord) -> Run {
        switch attempt.outcome {
        case .running: run(row.direction == .up ? "uploading" : "downloading", theme.moving)
        case .complete: run("\(look.symbols.state(.done)) complete", theme.done)
        case .paused: run("\(look.symbols.state(.paused)) paused", theme.paused)
        case .interrupted: run("\(look.symbols.state(.paused)) interrupted", theme.paused)
        case .cancelled: run("\(look.symbols.state(.cancelled)) cancelled", theme.cancelled)
        case .failed: run("\(look.symbols.state(.failed)) failed", theme.failure)
        }
    }

    private func headers(_ facts: ConnectionFacts) -> [DetailsPanel.Line] {
        [.heading("Response headers" + (facts.status > 0 ? " \(look.symbols.dot) status \(facts.status)" : ""))]
            + facts.headers.map { .runs([run("\($0.name): ", theme.quiet), run($0.value)]) }
    }
}

extension DetailLines {
    /// For each expected checksum of the file: the state of its verification, its value and its origin.
    func checksums(_ details: TransferDetails) -> [DetailsPanel.Line] {
        guard !details.checksums.isEmpty else { return field("Checksum", "none", theme.quiet) }
        return details.checksums.flatMap { lines(of: $0) }
    }

    private func lines(of finding: ChecksumFinding) -> [DetailsPanel.Line] {
        let (words, style) = checksumState(of: finding)
        var lines = field("Checksum", words, style) + field("  expected", finding.checksum.hex)
        if case .mismatched(let got) = finding.state { lines += field("  got", got, theme.failure) }
        let part = finding.range.map { ", of bytes \($0.lowerBound) to \($0.upperBound - 1)" } ?? ""
        return lines + prose("  from", finding.origin.words + part, theme.quiet)
    }

    private func checksumState(of finding: ChecksumFinding) -> (String, Style) {
        let (name, symbols) = (finding.checksum.algorithm.rawValue, look.symbols)
        switch finding.state {
        case .expected: return ("\(name), not checked yet", theme.text)
        case .checking:
            let percent = row.verifiedFraction.map { " \(Int($0 * 100))%" } ?? ""
            return ("\(symbols.state(.working)) \(name), being checked\(percent)", theme.moving)
        case .matched: return ("\(symbols.state(.done)) \(name), matches", theme.done)
        case .mismatched: return ("\(symbols.state(.failed)) \(name), mismatch", theme.failure)
        case .unchecked: return ("\(name), was not checked", theme.quiet)
        }
    }
}

extension ChecksumOrigin {
    fileprivate var words: String {
        switch self {
        case .option: "--checksum or the batch file"
        case .list: "a checksum list (--sums)"
        case .header(let name): "the server's \(name)"
        case .metalink: "a Metalink"
        case .earlierRun: "an earlier run"
        }
    }
}

extension DetailLines {
    func replyLines(_ reply: ServerReply) -> [DetailsPanel.Line] {
        var lines: [DetailsPanel.Line] = [.heading("Reply")]
        lines += field("Status", "\(reply.status) \(reply.reason)")
        if let location = reply.location { lines += field("Location", location) }
        let text = reply.text.split(whereSeparator: \.isNewline).prefix(Self.mostReplyLines)
        for (place, line) in text.enumerated() { lines += field(place == 0 ? "Body" : "", String(line)) }
        if reply.isCut { lines += field("", "(there is more)", theme.quiet) }
        return lines
    }

    /// Servers answer in pages: the first lines say what happened.
    private static let mostReplyLines = 200
}

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
