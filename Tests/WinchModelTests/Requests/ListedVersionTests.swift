import TestSupport
import Testing

@testable import WinchModel

@Suite struct `A listed version` {
    /// 2024-01-05 12:34:56 UTC.
    private static let time: Int64 = 1_704_458_096

    /// - Parameter offset: in seconds from `time`; `nil`: no time is listed.
    private static func version(
        _ size: Int64? = 1000, tolerance: Int64 = 0, by offset: Int64? = 0,
        _ precision: ListedTime.Precision = .second, isZoned: Bool = true, tag: UInt64? = nil
    ) -> ListedVersion {
        ListedVersion(
            size: size.map { ListedSize(bytes: $0, tolerance: tolerance) },
            time: offset.map { ListedTime(seconds: time + $0, precision: precision, isZoned: isZoned) }, tag: tag)
    }

    private static func file(_ length: Int64 = 1000, by offset: Int64 = 0, nanoseconds: Int64 = 0) -> FileIdentity {
        FileIdentity(device: 1, node: 2, length: length, modified: (time + offset) * 1_000_000_000 + nanoseconds)
    }

    /// A file of 1,000 bytes that a run has finished in the year 2030.
    private static func entry(
        _ version: ListedVersion?, _ standing: LedgerState = .finished(.saved(path: "file"))
    ) -> LedgerEntry {
        var spec = TransferSpec.sample()
        spec.listedVersion = version
        return LedgerEntry(
            key: LedgerKey(1), rank: 1, spec: spec, standing: standing, name: "file", size: .exact(ByteCount(1000)),
            addedAt: UnixTime(milliseconds: 1), settledAt: UnixTime(milliseconds: 1_900_000_000_000))
    }

    @Test func `is missing where there is no file`() {
        expectEqual(Self.version().judge(local: nil, earlier: Self.entry(Self.version())), .missing)
    }

    private static let pairs: [(ListedVersion, FileIdentity, Bool)] = [
        (version(), file(), true), (version(), file(999), false), (version(), file(by: 1), false),
        (version(), file(nanoseconds: 999_999_999), true),
        // Too little is listed.
        (version(nil), file(), false), (version(by: nil), file(), false), (version(nil, by: nil), file(), false),
        (version(by: nil, tag: 1), file(), false),
        // Rounded.
        (version(1024, tolerance: 52), file(), true), (version(1100, tolerance: 52), file(), false),
        (version(by: -56, .minute), file(), true), (version(by: -116, .minute), file(), false),
        (version(by: -45_296, .day), file(), true), (version(by: -131_696, .day), file(), false),
        // In an unknown zone: two hours, five and a half, ten minutes, fifteen hours.
        (version(by: 7200, isZoned: false), file(), true), (version(by: -19_800, isZoned: false), file(), true),
        (version(by: 600, isZoned: false), file(), false), (version(by: 54_000, isZoned: false), file(), false),
        // Fourteen hours; the next day, and the one after it.
        (version(by: 50_344, .minute, isZoned: false), file(), true),
        (version(by: 41_104, .day, isZoned: false), file(), true),
        (version(by: 127_504, .day, isZoned: false), file(), false),
    ]

    @Test(arguments: pairs)
    func `is that of a file here by its size and time`(version: ListedVersion, file: FileIdentity, isSame: Bool) {
        expectEqual(version.judge(local: file, earlier: nil), isSame ? .same : .changed)
        // An earlier run that says nothing of the listing, or has left another file, changes nothing.
        for entry in [Self.entry(nil), Self.entry(ListedVersion()), Self.entry(version, .unfinished)] {
            expectEqual(version.judge(local: file, earlier: entry), isSame ? .same : .changed)
        }
    }

    @Test func `of times and sizes that no file has is no trap`() {
        let before = FileIdentity(device: 1, node: 2, length: 1, modified: -1)
        for seconds: Int64 in [-1, .max, .min] {
            let time = ListedTime(seconds: seconds, precision: .second, isZoned: true)
            let version = ListedVersion(size: ListedSize(bytes: .max, tolerance: .max), time: time)
            expectEqual(version.judge(local: before, earlier: nil), seconds == -1 ? .same : .changed)
        }
    }

    private static let listings: [(ListedVersion, ListedVersion, Bool)] = [
        (version(), version(), true), (version(), version(1001), false), (version(), version(by: 1), false),
        (version(tag: 1), version(tag: 1), true), (version(tag: 1), version(tag: 2), false),
        (version(by: nil, tag: 1), version(by: nil, tag: 1), true), (version(tag: 1), version(), true),
        (version(nil), version(nil), true), (version(1024, tolerance: 52), version(1024, tolerance: 52), true),
        (version(1024, tolerance: 52), version(1075, tolerance: 52), false),
        (version(), version(1024, tolerance: 52), true),
        // LIST leaves out the time of day after half a year.
        (version(by: -56, .minute, isZoned: false), version(by: -45_296, .day, isZoned: false), true),
        (version(by: -56, .minute, isZoned: false), version(by: 3544, .minute, isZoned: false), false),
        // Too little in common.
        (version(by: nil), version(by: nil), false), (version(nil), version(), false),
    ]

    /// The file here has the time of its writing, which is not the server's.
    @Test(arguments: listings)
    func `is that of an earlier run by what was listed then`(then: ListedVersion, now: ListedVersion, isSame: Bool) {
        let file = Self.file(by: 95_541_904)
        expectEqual(now.judge(local: file, earlier: Self.entry(then)), isSame ? .same : .changed)
        // Written to since.
        for file in [Self.file(by: 245_541_904), Self.file(1001, by: 95_541_904)] {
            expectEqual(now.judge(local: file, earlier: Self.entry(then)), .changed)
        }
    }
}
