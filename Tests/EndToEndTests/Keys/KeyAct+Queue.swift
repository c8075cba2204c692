import FaultServer

@testable import WinchScreen

extension KeyAct {
    /// The number of slots in the summary line; the notice after the key has it as well and does not count.
    private static func slots(_ count: Int) -> KeyStep {
        .row("counting bytes", "\(count) \(count == 1 ? "file" : "files") at a time")
    }

    /// One file done, one failed, the others one at a time.
    static let queue = KeyAct(
        group: .queue,
        files: { server in
            [server.url("done.bin", "size=10"), server.url("gone.bin", "status=404,200", "size=10")]
                + slow(server, "a.bin", "b.bin")
        },
        options: "-j 1", opening: [.row("done.bin", "100%"), .row("gone.bin", "404"), .moving(1), slots(1)],
        scenes: [
            KeyScene(.toggleMode, "m") { key in
                [.press(key), .see("counting files"), .press(key), .see("counting bytes")]
            },
            KeyScene(.moreSlots, "+", "=") { key in
                [.press(key), slots(2), .moving(2), .press("-"), slots(1)]
            },
            KeyScene(.fewerSlots, "-") { key in
                [.press("+"), slots(2), .press(key), slots(1)]
            },
            KeyScene(.slower, "z") { key in
                [
                    .type(":limit 1M"), .press(.enter), .see("Total limit 1.0 MiB/s"), .press(key),
                    .see("Total limit 500 KiB/s"),
                    .type(":limit none"), .press(.enter), .see("Total limit removed"),
                ]
            },
            KeyScene(.faster, "Z") { key in
                [
                    .type(":limit 5M"), .press(.enter), .see("Total limit 5.0 MiB/s"), .press(key),
                    .see("Total limit 10.0 MiB/s"),
                    .press(key), .see("Total limit removed"),
                ]
            },
            KeyScene(.pauseOrResumeAll, "P") { key in
                [
                    .press(key), .row("a.bin", "paused"), .row("b.bin", "paused"), .moving(0), .press(key),
                    // Either: the connection of the first may be closing still.
                    .see("1 downloading"),
                ]
            },
            KeyScene(.removeDone, "D") { key in
                [
                    .press(key), .gone("done.bin"), .see("0 of 3 done"),
                    .until("the file") { stage, _ in stage.terminal.folder.exists("got/done.bin") }, .press("b"),
                    .see("1 of 4 done"), .see("done.bin"),
                ]
            },
            KeyScene(.bringBack, "b") { key in
                [.press("D"), .gone("done.bin"), .press(key), .see("done.bin")]
            },
            KeyScene(.retryFailed, "R") { key in
                [
                    .press("+"), slots(2), .press("+"), slots(3), .press(key),
                    .row("gone.bin", "100%"),
                ]
            },
            KeyScene(.add, "a") { key in
                [
                    .press(key), .see("Add URL:"), .type { $0.url("typed.bin", "size=10") }, .press(.enter),
                    .row("typed.bin", "100%"),
                    .until("the file") { stage, _ in stage.terminal.folder.exists("got/typed.bin") },
                ]
            },
        ])
}
