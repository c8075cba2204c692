package import WinchModel

extension TransferSpec {
    /// A file on `hosts`, mirrors of each other.
    package static func sample(
        hosts: [String] = ["a.example"], direction: Direction = .down, settings: TransferSettings = TransferSettings(),
        isPaused: Bool = false
    ) -> TransferSpec {
        TransferSpec(
            urls: hosts.compactMap { TransferURL.samples[$0] ?? (try? TransferURL("http://\($0)/file")) },
            direction: direction,
            settings: Shared(settings),
            startsPaused: isPaused)
    }
}

extension TransferURL {
    /// By host: those that random streams name again and again.
    package static let samples: [String: TransferURL] = ["a.example", "b.example", "c.example"].reduce(into: [:]) {
        $0[$1] = try? TransferURL("http://\($1)/file")
    }
}

extension TransferSettings {
    /// Retries at once, so that a test need not wait.
    package static func sample(maxTries: Int = 5, retryWait: Duration = .seconds(1)) -> TransferSettings {
        var settings = TransferSettings()
        settings.maxTries = maxTries
        settings.retryWait = retryWait
        return settings
    }
}

extension ResumePoint {
    package static func sample(_ have: Int64, of total: Int64?) -> ResumePoint {
        sample([min(0, max(-100, have))..<max(0, have)], of: total)
    }

    /// - Parameter ranges: on disk; below zero: what no part can have.
    package static func sample(_ ranges: [Range<Int64>], of total: Int64?) -> ResumePoint {
        var point = ResumePoint(partPath: "file.part", targetPath: "file", total: total.map(ByteCount.init(bytes:)))
        point.onDisk = ByteRanges(ranges)
        return point
    }
}

extension ConnectionID {
    package static func sample(_ transfer: Int, _ number: Int = 1) -> ConnectionID {
        ConnectionID(transfer: TransferID(transfer), number: number)
    }
}

extension TransportEvent {
    package static func opening(
        at offset: Int64 = 0, of total: Int64?, status: Int = 200, startedOver: Rebase.Cause? = nil
    ) -> TransportEvent {
        .opened(
            Opening(
                status: status, offset: ByteCount(bytes: offset), total: total.map(ByteCount.init(bytes:)),
                part: .sample(offset, of: total), startedOver: startedOver))
    }

    /// The bytes of the file up to `position` have come, whatever was reported before. Implausible below zero.
    package static func moving(to position: Int64) -> TransportEvent {
        let bytes = min(0, position)..<position
        return .moved(bytes, of: bytes)
    }

    /// A connection is let in for a part of the file.
    package static func joining(_ chunk: Range<Int64>) -> TransportEvent {
        .moved(chunk.lowerBound..<chunk.lowerBound, of: chunk)
    }
}

extension ByteCount {
    package init(_ bytes: Int64) { self.init(bytes: bytes) }
}

extension CalendarConversion {
    /// The origin of moments is 1000 s after 1970.
    package static let sample = CalendarConversion(Moment(nanoseconds: 0), is: UnixTime(milliseconds: 1_000_000))
}

extension SSHHostKey {
    package static let sample = SSHHostKey(host: "h", type: "ssh-ed25519", key: "AQID", fingerprint: "SHA256:abc")
}
