import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The help panel` {
    @Test func `lists every key`() {
        for size in [(80, 24), (120, 36), (200, 60)] {
            var sitting = Sitting(Scenes.busy, columns: size.0, lines: size.1)
            sitting.press("?")
            var text = sitting.canvas.text
            for _ in 0..<sitting.dashboard.helpPanel.lastTop {
                sitting.press("j")
                text += sitting.canvas.text
            }
            for binding in KeyMap.standard.bindings where binding.applies != .attached {
                #expect(text.contains(binding.words), "\(binding.words) at \(size)")
                for key in binding.keys { #expect(text.contains(key.name(isASCII: false))) }
            }
        }
    }

    @Test func `fits its columns and lists the most common keys first`() {
        for binding in KeyMap.standard.bindings {
            let keys = binding.keys.map { $0.name(isASCII: true) }.joined(separator: " ")
            #expect(keys.count < HelpPanel.keyWidth, "\(keys)")
            #expect(binding.words.count <= HelpPanel.wordsWidth, "\(binding.words)")
        }
        var sitting = Sitting(Scenes.busy)
        sitting.press("?")
        let keys = sitting.lines.firstIndex { $0.contains("╭─ Keys") } ?? 0
        #expect(sitting.lines[keys + 2].contains("p       pause or resume"))
    }

    @Test func `scrolls to its last line in a low window`() {
        var sitting = Sitting(Scenes.busy, columns: 40, lines: 10)
        sitting.press("h")
        #expect(!sitting.canvas.text.contains("last row"))
        sitting.press(.end)
        #expect(sitting.canvas.text.contains("last row"))
        sitting.press(.home, .down, .pageDown, .pageUp, .up)
        #expect(sitting.dashboard.mode == .help(top: 0))
        sitting.press(.end)
        sitting.handle(.resized(columns: 120, rows: 40))
        #expect(sitting.dashboard.mode == .help(top: 0))
    }

    @Test(arguments: ["?", "h", "q", .escape, .enter, .function(1)] as [Key])
    func `is closed by the key that opened it and by the keys that leave`(key: Key) {
        var sitting = Sitting(Scenes.busy)
        sitting.press(.function(1))
        #expect(sitting.press(key).isEmpty)
        #expect(sitting.dashboard.mode == .normal)
    }

    @Test func `does not stop updates of the header`() {
        var sitting = Sitting(Scenes.busy)
        sitting.press("?")
        sitting.update([.sample(1, "only", .moving)])
        #expect(sitting.lines[2].contains("0 of 1 done"))
    }

    @Test func `and the footer use one key map without contradictions`() {
        var intents: [Key: KeyAction] = [:]
        for binding in KeyMap.standard.bindings {
            for key in binding.keys {
                #expect(intents[key] == nil || intents[key] == binding.intent)
                intents[key] = binding.intent
            }
        }
        #expect(Set(intents.values) == Set(KeyAction.allCases))
    }
}

@Suite struct `The footer` {
    @Test func `shows the keys that apply to the selected row`() {
        var sitting = Sitting([
            .sample(1, "a", .moving), .sample(2, "b", .paused), .sample(3, "c", .failed(.httpStatus(404))),
            .sample(4, "d", .finished(.saved(path: "d"))),
        ])
        #expect(sitting.footer.hasPrefix(" p pause  c cancel  x limit"))
        sitting.press("j")
        #expect(sitting.footer.hasPrefix(" p resume  c cancel  x limit"))
        sitting.press("j")
        #expect(sitting.footer.hasPrefix(" r retry  d remove  x limit"))
        sitting.press("j")
        #expect(sitting.footer.hasPrefix(" d remove  Enter details  a add"))
    }

    @Test func `names the rate limits at 120 columns`() {
        let footer = Sitting([.sample(1, "a", .moving), .sample(2, "b", .failed(.httpStatus(404)))], columns: 120)
            .footer
        #expect(footer.contains("x limit") && footer.contains("z limit all"))
    }

    @Test(arguments: [(80, 24), (120, 36), (60, 20), (40, 10), (40, 8)])
    func `stays visible below a message, which covers no selected row`(columns: Int, lines: Int) {
        var sitting = Sitting(Scenes.many(50), columns: columns, lines: lines)
        sitting.press("G")
        let footer = sitting.footer
        sitting.handle(.notice("a message"))
        #expect(sitting.footer == footer)
        #expect(sitting.lines.suffix(3).contains { $0.contains("a message") })
        #expect(sitting.lines.contains { $0.contains("▸") && $0.contains("file-50") })
    }

    @Test func `contains help and quit at any width`() {
        for width in 40...300 {
            let footer = Sitting(Scenes.busy, columns: width).footer
            #expect(footer.contains("? help"))
            #expect(footer.contains("q quit"))
        }
    }

    @Test func `shows problems until a key is pressed, and the log lists all of them`() {
        let problems = [
            "/home/me/.config/winch/winch.conf:3: there is no option colour", "/x/sea.theme:9: no such colour",
        ]
        var sitting = Sitting(Scenes.busy)
        sitting.handle(.problems(problems))
        sitting.wait(1000)
        sitting.handle(.tick)
        #expect(
            sitting.message == " 2 problems (l shows all), the first: winch.conf:3: there is no option colour")
        sitting.press("l", "w")
        for problem in problems {
            #expect(sitting.lines.contains { $0.contains("WARN") && $0.contains(problem.suffix(20)) })
        }
        sitting.press(.escape)
        #expect(sitting.footer.contains("? help"))
    }

    @Test func `shows a single problem on as many lines as it needs`() {
        var sitting = Sitting(Scenes.busy, columns: 40, lines: 12)
        sitting.handle(.problems(["winch.conf:3: limit-rate: bytes a second, such as 500K or 2M, not 'fast'"]))
        #expect(sitting.canvas.text.contains("winch.conf:3: limit-rate: bytes a"))
        #expect(sitting.message.contains("(l shows it again)"))
    }

    @Test func `shows the failure of the selected row if the table has no space for it`() {
        let reason = TransferFailure.unreachable(host: "h", reason: "Connection refused")
        for (columns, rows) in [(80, 24), (200, 36), (60, 20)] {
            var sitting = Sitting(
                [.sample(1, "a", .failed(reason)), .sample(2, "b", .failed(.httpStatus(404)))], columns: columns,
                lines: rows)
            let stateText = "✗ cannot connect to h: Connection refused"
            #expect(sitting.lines.suffix(2).contains { $0.contains(stateText) } != (columns == 200), "at \(columns)")
            #expect(sitting.footer.contains("? help") && sitting.footer.contains("q quit"))
            sitting.press("j")
            #expect(!sitting.lines.suffix(2).contains { $0.contains("✗") }, "it stands in the table")
        }
    }

    @Test func `shows a notice for four seconds, without control characters`() {
        var sitting = Sitting(Scenes.busy)
        sitting.handle(.notice("line 3: bad URL \u{1B}[2J"))
        #expect(sitting.message == " line 3: bad URL �[2J")
        sitting.wait(3.9)
        sitting.handle(.tick)
        #expect(sitting.message.contains("bad URL"))
        sitting.wait(0.2)
        sitting.handle(.tick)
        #expect(sitting.footer.contains("? help"))
    }
}
