import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue
@testable import winch

@Suite struct `While a run starts` {
    private static func spec(_ url: String) throws -> Addition {
        Addition(spec: TransferSpec(urls: [try TransferURL(url)]))
    }

    /// What an engine would receive, in order.
    private static func words(_ inbox: Inbox) -> [String] {
        inbox.take().map { item in
            switch item {
            case .event(.command(let command), let reply):
                (reply == nil ? "" : "answered ") + "\(command)".split(separator: "(")[0]
            case .event(.added(let additions), _): "added \(additions.map { $0.spec.urls[0].text })"
            case .event(.takenOver(let additions), _): "taken over \(additions.map { $0.spec.urls[0].text })"
            case .event(.named(let additions), _): "entries \(additions.map { $0.spec.urls[0].text })"
            case .callWhenStored: "call when stored"
            case .event, .call: "other"
            }
        }
    }

    private static func entries() throws -> RunEntries {
        RunEntries(try ChecksumListFiles([], settings: TransferSettings()), folder: nil)
    }

    @Test func `commands wait for the rows that they name, and entries for the whole list`() throws {
        let inbox = Inbox()
        let entries = try Self.entries()
        let gate = StartupCommandQueue(LocalQueue(inbox: inbox), entries)
        gate.send(.pause([TransferID(1)]))
        gate.retry([TransferID(1)]) { _ in }
        gate.takeOver([try Self.spec("http://h/left")]) { _ in }
        gate.add([try Self.spec("http://h/typed").spec])
        gate.callWhenStored {}
        expectEqual(Self.words(inbox), [])
        inbox.add([try Self.spec("http://h/listed")])
        gate.openForRows()
        gate.send(.pauseAll)
        expectEqual(
            Self.words(inbox),
            [
                "added [\"http://h/listed\"]", "pause", "answered retry", "taken over [\"http://h/left\"]",
                "pauseAll",
            ])
        entries.endList()
        gate.open()
        expectEqual(Self.words(inbox), ["entries [\"http://h/typed\"]", "call when stored"])
    }

    @Test(arguments: [false, true])
    func `quitting waits until the whole list is in the queue`(isEarly: Bool) throws {
        let inbox = Inbox()
        let gate = StartupCommandQueue(LocalQueue(inbox: inbox), try Self.entries())
        if isEarly { gate.send(.quit) }
        gate.openForRows()
        if !isEarly { gate.send(.quit) }
        expectEqual(Self.words(inbox), [])
        gate.open()
        expectEqual(Self.words(inbox), ["quit"])
        gate.send(.quit)
        expectEqual(Self.words(inbox), ["quit"])
    }

    @Test(.timeLimit(.minutes(1))) func `quitting follows what was typed before, which is matched with earlier runs`()
        async throws
    {
        let inbox = Inbox()
        let gate = StartupCommandQueue(LocalQueue(inbox: inbox), try Self.entries())
        gate.open()
        gate.add([try Self.spec("http://h/typed").spec])
        gate.send(.quit)
        var words: [String] = []
        while words.count < 2 {
            words += Self.words(inbox)
            await Task.yield()
        }
        expectEqual(words, ["entries [\"http://h/typed\"]", "quit"])
    }
}
