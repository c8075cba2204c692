import ArgumentParser
import Testing

@testable import WinchModel
@testable import winch

@Suite struct `The options of retries` {
    @Test func `set how often and after which wait an attempt is made again`() throws {
        var settings = TransferSettings()
        try RetryOptions.parse(["--max-tries", "0", "--retry-wait", "2.5"]).apply(to: &settings)
        #expect(settings.maxTries == 0)
        #expect(settings.retryWait == .milliseconds(2500))
    }

    @Test(arguments: ["--max-tries=-1", "--retry-wait=-1", "--retry-wait=soon"])
    func `refuse what is no number of tries or seconds`(option: String) {
        #expect(throws: (any Error).self) { try RetryOptions.parse([option]) }
    }
}
