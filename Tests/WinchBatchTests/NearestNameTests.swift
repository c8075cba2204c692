import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchModel

@Suite struct `An unknown name` {
    private static let names = ["limit-rate", "limit-rate-each", "log", "history", "info", "jobs", "on-change"]

    @Test(
        arguments: [
            ("limt-rate", "limit-rate"), ("limt", "limit-rate"), ("lim", "limit-rate"), ("histroy", "history"),
            ("inf", "info"), ("HISTORY", "history"), ("jbos", "jobs"), ("onchange", "on-change"),
            ("limit-rate-eahc", "limit-rate-each"), ("lgo", "log"), ("", nil), ("l", nil), ("jo", nil), ("colour", nil),
            ("nonsense", nil), (String(repeating: "limit-rate", count: 50), nil),
        ] as [(String, String?)])
    func `is matched to a similar known name`(typed: String, meant: String?) {
        expectEqual(NearestName.of(typed, among: Self.names), meant)
    }

    @Test func `is matched to a whole name rather than to the beginning of one`() {
        expectEqual(NearestName.of("urser", among: ["user-agent", "user"]), "user")
        expectEqual(NearestName.of("urser", among: ["user-agent", "username"]), "user-agent")
    }

    @Test func `leads to a suggestion if a known name is similar`() {
        expectEqual(NearestName.question(for: "jbos", among: Self.names, prefix: "--"), "; did you mean --jobs?")
        expectEqual(NearestName.question(for: "colour", among: Self.names), "")
    }

    @Test func `in a batch causes a warning with the suggested name`() {
        let batch = BatchParser(folder: ".", settings: TransferSettings()).parse(
            Array("http://a/1\n limt-rate=1M\n colour=red\n".utf8))
        expectEqual(
            batch.problems.map(\.message),
            [
                "unknown option: limt-rate; did you mean limit-rate?", "unknown option: colour",
            ])
    }

    @Test(arguments: BatchEntryOptionName.names)
    func `is never one of the options of a batch entry`(name: String) {
        var options = BatchEntryOptions(folder: ".", settings: TransferSettings())
        do throws(BatchEntryOptions.Fault) { try options.set(name, to: "x") } catch { expect(error != .unknown) }
    }
}
