@testable import WinchModel
@testable import WinchScreen

extension TransferDetails {
    private static let mebi: Int64 = 1 << 20

    /// Details of the third row of `Scenes.busy`, with a value for every line.
    static let full: TransferDetails = {
        var details = TransferDetails(
            id: TransferID(3),
            urls: [
                "https://mirror.example.org/nightly/a-very-long-name-of-a-nightly-build.tar.gz?build=2024-03-19",
                "https://other.example.net/地図/x.tar.gz",
            ],
            folder: "/home/me/haul", path: "a-very-long-name-of-a-nightly-build.tar.gz",
            size: .declared(ByteCount(bytes: 3 << 30)))
        details.location = "https://cdn.example.org/storage/7f3a/nightly.tar.gz"
        details.facts = ConnectionFacts(
            address: "192.0.2.33", port: 443, protocolName: "HTTP/1.1", tlsVersion: "TLSv1.3",
            tlsCipher: "TLS_AES_256_GCM_SHA384", status: 206,
            headers: [
                HeaderField(name: "server", value: "nginx/1.25\u{1B}[31m"),
                HeaderField(name: "content-type", value: "application/gzip"),
                HeaderField(name: "accept-ranges", value: "bytes"),
            ])
        details.validator = .strongETag("\"65f9-c0ffee\"")
        details.partPath = "a-very-long-name-of-a-nightly-build.tar.gz.part"
        details.have = ByteCount(bytes: 1_503_238_553)
        details.ranges = [0..<1_503_238_553]
        details.durable = [0..<900 * mebi]
        details.checksums =
            Checksum("md5=" + String(repeating: "0f", count: 16)).map {
                [ChecksumFinding($0, origin: .list)]
            } ?? []
        details.attempts = [
            AttemptRecord(
                number: 1, host: "other.example.net", began: .at(-300), ended: .at(-290), have: ByteCount(bytes: mebi),
                outcome: .failed(.connectionLost("Connection reset by peer"))),
            AttemptRecord(
                number: 2, host: "mirror.example.org", began: .at(-280), from: ByteCount(bytes: mebi),
                have: ByteCount(bytes: 1_503_238_553)),
        ]
        details.seconds = (880..<1000).map { second in
            RateHistory.Second(
                number: Int64(second), rate: ByteRate(perSecond: Double(second % 40) * 100_000))
        }
        return details
    }()
}

extension Update {
    /// An update of `rows` with details.
    static func details(_ details: TransferDetails, of rows: [TransferSnapshot]) -> Update {
        var update = Update.all(rows)
        update.details = [details]
        return update
    }

    /// `Scenes.busy` after two minutes of rates, and with entries in the log.
    static let lively: Update = {
        var update = Update.all(Scenes.busy)
        update.seconds = (880..<1000).map { second in
            let wave = Double((second * 7) % 30) + (second > 940 ? 20 : 5)
            return RateHistory.Second(number: Int64(second), rate: ByteRate(perSecond: wave * 400_000))
        }
        func event(_ number: Int, _ seconds: Double, _ kind: FeedEvent.Kind) -> FeedEvent {
            FeedEvent(
                id: TransferID(number), at: .at(seconds), kind: kind, have: ByteCount(bytes: 300_000),
                size: ByteCount(bytes: 9_000_000))
        }
        update.events = [
            event(1, -60, .started(attempt: 1)), event(1, -59, .headers(status: 200)),
            event(4, -58, .started(attempt: 1)), event(4, -57, .redirected(url: "http://地図.example.jp/データ.zip")),
            event(8, -50, .started(attempt: 2)), event(9, -49, .failed(.httpStatus(404))),
            event(11, -40, .retrying(in: .seconds(3), failure: .httpStatus(503))),
            event(17, -30, .rebase(.fileChanged)), event(12, -20, .paused), event(16, -10, .sized),
            event(1, -5, .finished(.saved(path: "debian.iso"))),
        ]
        update.details = [.full]
        return update
    }()
}
