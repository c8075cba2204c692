import WinchModel

extension DetailLines {
    /// For each expected checksum of the file: the state of its verification, its value and its origin.
    func checksums(_ details: TransferDetails) -> [DetailsPanel.Line] {
        guard !details.checksums.isEmpty else {
            return field("Checksum", "none", theme.quiet)
        }
        return details.checksums.flatMap { lines(of: $0) }
    }

    private func lines(of finding: ChecksumFinding) -> [DetailsPanel.Line] {
        let (words, style) = state(of: finding)
        var lines = field("Checksum", words, style) + field("  expected", finding.checksum.hex)
        if case .mismatched(let got) = finding.state { lines += field("  got", got, theme.failure) }
        let part = finding.range.map { ", of bytes \($0.lowerBound) to \($0.upperBound - 1)" } ?? ""
        return lines + prose("  from", finding.origin.words + part, theme.quiet)
    }

    private func state(of finding: ChecksumFinding) -> (String, Style) {
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
