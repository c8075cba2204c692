@testable import WinchModel

/// Rows for screen tests.
enum Scenes {
    private static let mebi: Int64 = 1 << 20
    private static let gibi: Int64 = 1 << 30

    /// A batch in progress, with rows in every state and names of every kind.
    static let busy: [TransferSnapshot] = [
        .sample(
            1, "debian-12.5.0-amd64-netinst.iso", .finished(.saved(path: "x")), have: 659_554_304, of: 659_554_304,
            host: "cdimage.debian.org"),
        .sample(
            2, "linux-6.8.1.tar.xz", .moving, have: 58 * mebi, of: 135 * mebi, rate: 12.3 * 1_048_576, finish: 6,
            host: "cdn.kernel.org"),
        .sample(
            3, "a-very-long-name-of-a-nightly-build-2024-03-19-x86_64-unknown-linux-gnu.tar.gz", .moving,
            have: 1_503_238_553, of: 3 * gibi, rate: 4.2 * 1_048_576, finish: 412),
        .sample(
            4, "東京の地図データ.zip", .moving, have: 700 * 1024, of: 11 * mebi, rate: 88 * 1024, finish: 125,
            host: "地図.example.jp"),
        .sample(
            5, "stream-without-length.bin", .moving, have: 31 * mebi, rate: 1.9 * 1_048_576, host: "127.0.0.1:8080"),
        .sample(6, "résumé-e\u{301}te\u{301}.pdf", .connecting),
        .sample(7, "noch-einer.deb", .requested, of: 8 * mebi),
        .sample(8, "👩‍👩‍👧 family 🇩🇪 holiday 👍🏽.jpg", .moving, have: 2 * mebi, of: 5 * mebi, rate: 0, stalled: -12),
        .sample(9, "missing.tar.gz", .failed(.httpStatus(404))),
        .sample(
            10, "refused.bin", .failed(.unreachable(host: "127.0.0.1", reason: "Connection refused")), have: 512_000,
            of: mebi, host: "127.0.0.1:1"),
        .sample(
            11, "flaky-mirror.img", .backoff(until: .at(3.2), attempt: 2, limit: 5, failure: .httpStatus(503)),
            have: 300 * mebi, of: 700 * mebi),
        .sample(12, "later.iso", .paused, have: gibi, of: 4 * gibi),
        .sample(13, "unknown-and-paused.dat", .paused, have: 40_000),
        .sample(14, "given-up.zip", .cancelled, have: 3 * mebi, of: 9 * mebi),
        .sample(15, "there-already.txt", .finished(.skipped(path: "x")), have: 1200, of: 1200),
        .sample(16, "מסמך חשוב.pdf", .waiting(.hostSlot), of: 123_456),
        .sample(17, "evil\u{1B}[31m\u{202E}gpj.exe\u{7}", .waiting(.slot)),
        .sample(18, "checksum.me", .verifying, have: 5 * mebi, of: 5 * mebi),
        .sample(19, "backup.tar.zst", .replying, have: 300_000, of: 300_000, direction: .up),
        .sample(20, "next-in-line.mkv", .waiting(.slot), of: 700 * mebi),
    ]

    /// Files in four folders, one of which holds nothing but another; and two that are in none of them.
    static let folders: [TransferSnapshot] = zip(files, places).map { row, folder in
        var row = row
        row.folder = folder
        return row
    }
    private static let places = [
        "", "pub", "pub/images", "pub", "pub/photos/2024", "pub/photos/2024", "live", "live/東京", "",
    ]
    private static let files: [TransferSnapshot] = [
        .sample(1, "index.html", .finished(.saved(path: "x")), have: 12_000, of: 12_000),
        .sample(2, "disc-1.iso", .moving, have: 300 * mebi, of: 700 * mebi, rate: 4 * 1_048_576, finish: 100),
        .sample(3, "disc-2.iso", .waiting(.slot), of: 700 * mebi),
        .sample(4, "notes.txt", .failed(.httpStatus(404))),
        .sample(5, "a.jpg", .finished(.saved(path: "x")), have: 2 * mebi, of: 2 * mebi),
        .sample(6, "b.jpg", .finished(.saved(path: "x")), have: 3 * mebi, of: 3 * mebi),
        .sample(7, "stream.bin", .moving, have: 31 * mebi, rate: 1.9 * 1_048_576),
        .sample(8, "地図.zip", .paused, have: 700 * 1024, of: 11 * mebi), .sample(9, "README", .waiting(.slot)),
    ]

    static func many(_ count: Int) -> [TransferSnapshot] {
        (1...count).map { .sample($0, "file-\($0).bin", of: 4096) }
    }
}
