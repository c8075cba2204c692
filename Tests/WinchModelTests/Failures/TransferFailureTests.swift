import TestSupport
import Testing

@testable import WinchModel

@Suite struct `A failure's short message` {
    private static let failures: [TransferFailure] = [
        .hostNotFound("h"), .unreachable(host: "h", reason: "r"), .connectTimeout(host: "h", seconds: 15),
        .stalled(seconds: 30), .timeLimit(seconds: 60), .tooSlow(perSecond: 1, seconds: 30), .httpStatus(404),
        .askedToWait(status: 503, seconds: 9000), .tooManyRedirects(20), .redirectRefused("t"), .untrusted("r"),
        .tls("r"), .proxy("r"), .cutShort(have: .zero, expected: nil), .connectionLost("r"), .badResponse("r"),
        .nameTaken("n"), .folder("f", reason: "r"), .diskFull(folder: "f"), .readWrite("f", reason: "r"),
        .checksum(type: "md5", expected: "a", got: "b"), .existingFileDiffers("f"), .inUse("n", pid: nil), .changed,
        .unexpectedPage(expected: ".zip"), .tooLarge(limit: .zero, size: nil), .stoppedByFailFast, .other("r"),
        .nameServerDown(host: "h"), .networkDown(host: "h", reason: "r"), .loginNeeded(origin: "ftp://h"),
        .loginRefused(origin: "ftp://h", user: nil, details: nil),
        .hostKeyUnknown(.sample), .hostKeyChanged(.sample, file: "f", line: 1),
        .hostKeyRevoked(.sample, file: "f", line: 1), .keyLocked("f", isWrong: true), .keyLocked("f", isWrong: false),
        .remoteFile(.missing, path: "p"), .remoteFile(.denied, path: "p"), .remoteFile(.folder, path: "p"),
        .remoteWrite(.busy, path: "p"), .remoteWrite(.name, path: "p"),
    ]

    @Test(arguments: failures)
    func `fits in the columns of rate and time left`(failure: TransferFailure) {
        expect((1...22).contains(failure.shortMessage.count))
    }

    @Test(
        arguments: [
            (.unreachable(host: "h", reason: "connection refused"), "connection refused", "connection refused"),
            (.unreachable(host: "h", reason: "network is unreachable"), "network unreachable", "network unreachable"),
            (.unreachable(host: "h", reason: "connection timed out"), "connection timed out", "connection timed out"),
            (.unreachable(host: "h", reason: "else"), "cannot connect", "cannot connect"),
            (.untrusted("the certificate of h has expired"), "certificate expired", "certificate expired"),
            (
                .untrusted("the certificate of h is self-signed (--cacert FILE trusts it)"), "self-signed cert.",
                "self-signed certificate"
            ),
            (
                .untrusted("the certificate is not for h but for another host"), "certificate mismatch",
                "certificate of other host"
            ),
            (
                .untrusted("the certificate of h is not valid yet; is this machine's clock right?"),
                "cert. not valid yet", "certificate not valid yet"
            ),
            (.untrusted("x"), "not trusted", "not trusted"),
        ] as [(TransferFailure, String, String)])
    func `gives the reason for a missing connection, in a longer form where there is space`(
        failure: TransferFailure, short: String, row: String
    ) {
        expect(failure.shortMessage == short && short.count <= 22)
        expect(failure.rowMessage == row && row.count <= 25)
    }

    @Test func `names a redirect that leads nowhere`() {
        expectEqual(TransferFailure.redirectRefused("").message, "redirect not followed: an empty Location")
    }

    @Test(arguments: [
        ("does not exist", "does not exist"), ("removed during the download", "file error"),
        ("input/output error; check the disk", "file error"),
    ])
    func `is not called one of the disk when a file is missing`(reason: String, short: String) {
        expectEqual(TransferFailure.readWrite("f", reason: reason).shortMessage, short)
    }

    /// Numbers may come from a file.
    @Test(arguments: [0, 1, 1.5, -1, 1e18, 1e19, 1e300, -1e300, .infinity, .nan])
    func `is valid for any number of seconds`(seconds: Double) {
        let failures: [TransferFailure] = [
            .connectTimeout(host: "h", seconds: seconds), .stalled(seconds: seconds), .timeLimit(seconds: seconds),
            .askedToWait(status: 503, seconds: seconds), .tooSlow(perSecond: -abs(seconds), seconds: seconds),
        ]
        for failure in failures { expect(!failure.message.isEmpty && !failure.shortMessage.isEmpty) }
    }

    @Test(
        arguments: [
            (
                .diskFull(folder: "/d", needs: ByteCount(6 << 20), free: ByteCount(4 << 20)),
                "disk full: needs 6.0 MiB, 4.0 MiB free in /d; make room, then retry"
            ),
            (
                .diskFull(folder: "/d", needs: ByteCount(4_200_001), free: ByteCount(4_200_000)),
                "disk full: needs 4200001 bytes, 4200000 bytes free in /d; make room, then retry"
            ),
            (
                .diskFull(folder: "/d", needs: ByteCount(.max), size: ByteCount(250 << 30)),
                "needs 7.9 EiB; the whole disk of /d has 250 GiB"
            ),
            (
                .remoteFolder(path: "/a", files: 9_999, folders: 1, isMore: true),
                "/a is a folder of more than 9,999 files and 1 folder; -r downloads what is in it"
            ),
            (
                .remoteFolder(path: "/a", files: 0, folders: 2, isMore: false),
                "/a is a folder of 2 folders; -r downloads what is in it"
            ),
            (
                .remoteFolder(path: "/a", files: 0, folders: 0, isMore: false),
                "/a is an empty folder; -r downloads what is in it"
            ),
            (
                .remoteWrite(.name, path: "/a", details: "by FTP: the byte FF in the name"),
                "Winch cannot send the name /a by FTP: the byte FF in the name"
            ),
            (
                .remoteWrite(.folder, path: "/a"),
                "/a is a folder on the server; end the URL with / to put the file into it"
            ),
            (.folder("/d/x", reason: "permission denied"), "cannot create /d/x: permission denied"),
            (
                .checksum(type: "sha-256", expected: "9f86d081884c7d65", got: "4cf1aa7e64bc36d3"),
                "checksum mismatch (sha-256): got 4cf1aa7e64bc36d3, expected 9f86d081884c7d65; kept as .part"
            ),
            (
                .checksum(type: "md5", expected: "a", got: "b", servers: "x and y"),
                "checksum mismatch (md5): got b, expected a; x and y send the same file: check what is expected"
                    + "; kept as .part"
            ),
        ] as [(TransferFailure, String)])
    func `is shorter than the full message, which has the details`(failure: TransferFailure, message: String) {
        expectEqual(failure.message, message)
    }

    @Test func `is different for each kind of failure`() {
        expectEqual(Set(Self.failures.map(\.shortMessage)).count, Self.failures.count)
    }
}

@Suite struct `The exit code of a failure` {
    @Test(
        arguments: [
            (.stalled(seconds: 30), 2), (.httpStatus(404), 3), (.diskFull(folder: "."), 9), (.httpStatus(507), 9),
            (.nameTaken("x"), 13), (.readWrite("x", reason: "y"), 17), (.hostNotFound("x"), 19), (.httpStatus(500), 22),
            (.unreachable(host: "x", reason: "y"), 6), (.tooManyRedirects(20), 23), (.httpStatus(401), 24),
            (.httpStatus(429), 29), (.httpStatus(503), 29),
            (.remoteFolder(path: "/a", files: 1, folders: 0, isMore: false), 3),
            (.checksum(type: "md5", expected: "", got: ""), 32),
        ] as [(TransferFailure, Int32)])
    func `is aria2's`(failure: TransferFailure, code: Int32) {
        expectEqual(failure.exitCode, code)
    }
}
