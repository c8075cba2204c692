import FaultServer

@testable import WinchScreen

extension KeyAct {
    private static let untouched = KeyStep.rows("d.bin", "a.bin", "b.bin", "c.bin")

    /// One file failed, one done, one moving, one waiting for the slot.
    static let list = KeyAct(
        group: .list,
        files: { server in
            [server.url("d.bin", "status=404"), server.url("a.bin", "size=10")] + slow(server, "b.bin", "c.bin")
        },
        options: "-j 1", opening: [.row("d.bin", "404"), .row("a.bin", "done"), .row("b.bin", "↓"), untouched],
        scenes: tags + order + views)

    private static let tags = [
        KeyScene(.tag, " ") { key in
            [.press("g"), .selected("d.bin"), .press(key), .see("▌ 1 tagged"), .press("U"), .gone("tagged")]
        },
        KeyScene(.tagAll, "*") { key in [.press(key), .see("▌ 4 tagged"), .press("U"), .gone("tagged")] },
        KeyScene(.untag, "u") { key in
            [
                .press("*"), .see("▌ 4 tagged"), .press(key), .see("▌ 3 tagged"), .press("U"), .gone("tagged"),
            ]
        },
        KeyScene(.untagAll, "U") { key in [.press("*"), .see("▌ 4 tagged"), .press(key), .gone("tagged")] },
    ]

    private static let order = [
        KeyScene(.filter, "/") { key in
            [
                .press(key), .see("Filter:"), .type("C"), .rows("c.bin"), .press(.enter), .see("filter C (1)"),
                .press(.escape), untouched, .press("/"), .see("Filter:"), .type("!name:a state:failed"),
                .rows("d.bin"), .press(.escape), untouched,
            ]
        },
        KeyScene(.sortNext, ">") { key in
            [
                .press(key), .rows("a.bin", "b.bin", "c.bin", "d.bin"), .see("Name ▲"), .press("<"), untouched,
            ]
        },
        KeyScene(.sortPrevious, "<") { key in
            [.press(">"), .rows("a.bin", "b.bin", "c.bin", "d.bin"), .press(key), untouched]
        },
        KeyScene(.invertSort, "I") { key in
            [
                .press(">"), .rows("a.bin", "b.bin", "c.bin", "d.bin"), .press(key),
                .rows("d.bin", "c.bin", "b.bin", "a.bin"), .press("<"), untouched,
            ]
        },
        KeyScene(.columns, "C") { key in
            [
                .press(key), .see("show or hide"), .press(.down), .press(" "), .gone("Progress"), .press("a"),
                .see("Progress"), .press(key), .gone("show or hide"),
            ]
        },
        KeyScene(.groupByFolder, "f") { key in [.press(key), .see("▿"), .press(key), .gone("▿")] },
        KeyScene(.fold, .left) { key in
            [.press("f"), .see("▿"), .press("g"), .press(key), .see("▹"), .press("f"), untouched]
        },
        KeyScene(.unfold, .right) { key in
            [
                .press("f"), .see("▿"), .press("g"), .press(.left), .see("▹"), .press(key), .see("▿"),
                .press("f"), untouched,
            ]
        },
        KeyScene(.holdLine, "F") { key in [.press(key), .see("line fixed"), .press(key), .gone("line fixed")] },
    ]

    private static let views = [
        KeyScene(.nextView, .tab) { key in
            [.press(key), .see("▐2 Active 1▌"), .rows("b.bin"), .press("1"), untouched]
        },
        KeyScene(.previousView, .backTab) { key in
            [.press(key), .see("▐5 Done 1▌"), .rows("a.bin"), .press("1"), untouched]
        },
        KeyScene(.viewAll, "1") { key in [.press("4"), .rows("d.bin"), .press(key), untouched] },
        KeyScene(.viewActive, "2") { key in [.press(key), .rows("b.bin"), .press("1"), untouched] },
        KeyScene(.viewWaiting, "3") { key in [.press(key), .rows("c.bin"), .press("1"), untouched] },
        KeyScene(.viewFailed, "4") { key in
            [.press(key), .rows("d.bin"), .see("▐4 Failed 1▌"), .press("1"), untouched]
        },
        KeyScene(.viewDone, "5") { key in [.press(key), .rows("a.bin"), .press("1"), untouched] },
    ]
}
