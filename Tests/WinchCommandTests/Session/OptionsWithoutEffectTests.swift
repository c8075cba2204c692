import TestSupport
import Testing

@testable import winch

@Suite struct `Options without effect on a session` {
    private let table = OptionTable.ofWinch

    @Test func `are refused by their names`() {
        let refusal = OptionsWithoutEffect.ofAttachment.refusal(
            of: ["-j", "9", "--limit-rate", "10K", "--log=x", "-i", "list"], table)
        expectEqual(
            refusal?.hasPrefix("--jobs, --limit-rate, --log, --input-file have no effect on the dashboard"), true)
        expect(OptionsWithoutEffect.ofAddition.refusal(of: ["http://h/f", "--hold"], table) != nil)
        expect(OptionsWithoutEffect.ofSession.refusal(of: ["--output", "json"], table) != nil)
    }

    @Test func `are none of those that count`() {
        expectNil(OptionsWithoutEffect.ofAttachment.refusal(of: ["--ascii", "--session", "x", "-d", "o"], table))
        let addition = ["-i", "list", "-d", "out", "--limit-rate-each", "9K", "--config", "c", "--max-tries", "2"]
        expectNil(OptionsWithoutEffect.ofAddition.refusal(of: addition, table))
        expectNil(OptionsWithoutEffect.ofSession.refusal(of: ["-j", "9", "--log", "x", "-i", "l"], table))
    }
}
