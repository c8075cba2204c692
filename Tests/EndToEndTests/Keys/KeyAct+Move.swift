import FaultServer

@testable import WinchScreen

extension KeyAct {
    /// A hundred rows, the first selected.
    static let move = KeyAct(
        group: .move, files: { server in (100..<200).map { server.url("row-\($0).bin", "size=4M") } },
        options: "--hold", opening: [.selected("row-100.bin")],
        scenes: [
            KeyScene(.down, .down, "j") { key in
                [.press(key), .selected("row-101.bin"), .press("g"), .selected("row-100.bin")]
            },
            KeyScene(.up, .up, "k") { key in
                [.press("j"), .selected("row-101.bin"), .press(key), .selected("row-100.bin")]
            },
            KeyScene(.pageDown, .pageDown) { key in
                [.press(key), .gone("row-100.bin"), .press("g"), .selected("row-100.bin")]
            },
            KeyScene(.pageUp, .pageUp) { key in
                [
                    .press("G"), .selected("row-199.bin"), .press(key), .gone("row-199.bin"), .press("g"),
                    .selected("row-100.bin"),
                ]
            },
            KeyScene(.last, "G", .end) { key in
                [.press(key), .selected("row-199.bin"), .press("g"), .selected("row-100.bin")]
            },
            KeyScene(.first, "g", .home) { key in
                [.press("G"), .selected("row-199.bin"), .press(key), .selected("row-100.bin")]
            },
            KeyScene(.back, .escape) { key in
                [
                    .press("/"), .see("Filter:"), .type("row-15"), .press(.enter), .see("filter row-15 (10)"),
                    .press(key), .gone("filter row-15"), .press("g"), .selected("row-100.bin"),
                ]
            },
        ])
}
