import FaultServer

@testable import WinchScreen

extension KeyAct {
    private static let untouched = KeyStep.rows("a.bin", "b.bin", "c.bin", "d.bin")

    /// Three moving files and one whose first attempt failed; the first row is selected.
    static let transfer = KeyAct(
        group: .transfer,
        files: { slow($0, "a.bin", "b.bin", "c.bin") + [$0.url("d.bin", "status=404,200", "size=10")] },
        columns: 80, rows: 20, opening: [.moving(3), .row("d.bin", "404"), .press("g"), .selected("a.bin")],
        scenes: steering + order + looking + ending)

    /// Back to one connection.
    private static func alone(_ keys: String) -> [KeyStep] { [.type(keys), .gone("connections")] }

    private static let steering = [
        KeyScene(.pauseOrResume, "p") { key in
            [
                .press(key), .row("a.bin", "paused"), .moving(2), .press(key), .moving(3),
                .until("the rest asked for") { stage, _ in stage.server.requests(for: "a.bin").last?.range != nil },
            ]
        },
        KeyScene(.limitRow, "x") { key in
            [
                .press(key), .see("Rate limit for a.bin"), .type("100K"), .press(.enter), .row("a.bin", "limit"),
                .press(key), .see("Rate limit for a.bin"), .press(.control("u")), .press(.enter),
                .until("no limit") { _, lines in lines.contains { $0.contains("a.bin") && !$0.contains("limit") } },
            ]
        },
        // The row's state is in the footer, since the narrow table has no column for it.
        KeyScene(.moreConnections, ")") { key in
            [.press(key), .see("2 connections"), .press(key), .see("3 connections")] + alone("((")
        },
        KeyScene(.fewerConnections, "(") { key in
            [.press(")"), .press(")"), .see("3 connections"), .press(key), .see("2 connections")] + alone("(")
        },
        KeyScene(.cancel, "c") { key in
            [
                .press(key), .see("Cancel a.bin and delete its partial file?"), .press("n"), .gone("Cancel a.bin"),
                .until("its part") { stage, _ in stage.terminal.folder.exists("got/a.bin.part") },
                .press(key), .see("Cancel a.bin"), .press("y"), .see("a.bin cancelled; b undoes it"),
                // The notice comes with the key's own frame, the row with the next.
                .moving(2), .row("a.bin", "cancelled"), .press("b"), .moving(3),
                .until("the rest asked for") { stage, _ in stage.server.requests(for: "a.bin").last?.range != nil },
            ]
        },
    ]

    private static let order = [
        KeyScene(.moveLater, "]") { key in
            [.press(key), .rows("b.bin", "a.bin", "c.bin", "d.bin"), .press("["), untouched]
        },
        KeyScene(.moveEarlier, "[") { key in
            [
                .press("G"), .selected("d.bin"), .press(key), .rows("a.bin", "b.bin", "d.bin", "c.bin"), .press("]"),
                untouched, .press("g"), .selected("a.bin"),
            ]
        },
        KeyScene(.moveFirst, "{") { key in
            [
                .press("G"), .selected("d.bin"), .press(key), .rows("d.bin", "a.bin", "b.bin", "c.bin"), .press("}"),
                untouched, .press("g"), .selected("a.bin"),
            ]
        },
        KeyScene(.moveLast, "}") { key in
            [.press(key), .rows("b.bin", "c.bin", "d.bin", "a.bin"), .press("{"), untouched]
        },
    ]

    private static let looking = [
        KeyScene(.details, .enter) { key in [.press(key), .see("Details"), .press(key), .gone("Details")] },
        KeyScene(.scrollDetailsDown, "J") { key in
            [.press(.enter), .see("Details")] + Array(repeating: .press(key), count: 8)
                + [.see("content-length:"), .press(.enter), .gone("Details")]
        },
        KeyScene(.scrollDetailsUp, "K") { key in
            [.press(.enter), .see("Details")] + Array(repeating: .press("J"), count: 8)
                + [.see("content-length:")] + Array(repeating: .press(key), count: 8)
                + [.gone("content-length:"), .press(.enter), .gone("Details")]
        },
        KeyScene(.openFolder, "o") { key in
            [
                .press(key),
                .until("the folder opened") { stage, _ in
                    let folder = stage.terminal.folder
                    return try folder.exists("opened") && folder.text("opened") == folder.path("got") + "\n"
                },
            ]
        },
        KeyScene(.copyURL, "y") { key in
            [
                .press(key),
                .until("the URL in tmux") { stage, _ in
                    (try? await stage.terminal.tmux(["show-buffer"]))?.contains("/f/a.bin") == true
                },
                .see("Copied http://"),
            ]
        },
    ]

    /// After these scenes the last file is done.
    private static let ending = [
        KeyScene(.retry, "r") { key in
            [.press("G"), .selected("d.bin"), .press(key), .row("d.bin", "done"), .press("g"), .selected("a.bin")]
        },
        KeyScene(.remove, "d") { key in
            [
                .press("G"), .selected("d.bin"), .press(key), .gone("d.bin"), .press("b"), untouched, .press("g"),
                .selected("a.bin"),
            ]
        },
        KeyScene(.editURL, "e") { key in
            [
                .press(key), .see("URL: http://"), .press(.control("u")), .type { $0.url("found.bin", "size=10") },
                .press(.enter), .see("2 of 4 done"),
            ]
        },
    ]
}
