import TestSupport
import Testing

@testable import WinchModel

@Suite struct `The path of a file in a folder` {
    private static func row(_ number: Int, _ name: String, in folder: String, _ direction: Direction = .down)
        -> TransferSnapshot
    {
        TransferSnapshot(
            id: TransferID(number), direction: direction, name: name, host: "h", folder: folder, phase: .moving)
    }

    private static let listings = [
        row(1, "pub/", in: "/data/pub"), row(2, "a/", in: "/data/pub/a"), row(3, "b/", in: "/data/pub/a/b"),
        row(4, "host/", in: "host"),
    ]

    private static let paths: [(TransferSnapshot, String)] = [
        (row(5, "x", in: "/data/pub"), "pub/x"), (row(5, "x", in: "/data/pub/a/b"), "pub/a/b/x"),
        (row(5, "x", in: "host"), "host/x"), (row(5, "x", in: "/data"), "x"), (row(5, "x", in: "."), "x"),
        (listings[0], "pub/"), (listings[2], "pub/a/b/"), (listings[3], "host/"),
        (row(5, "x", in: "photos/2024", .up), "photos/2024/x"), (row(5, "x", in: ".", .up), "x"),
        (row(5, "etc", in: "/", .up), "/etc"),
    ]

    @Test(arguments: paths)
    func `begins with the folder that the user named`(row: TransferSnapshot, path: String) {
        var starts = FolderStarts()
        for listing in Self.listings { starts.note(listing) }
        expectEqual(starts.path(of: row), path)
    }
}
