import TestSupport
import Testing

@testable import winch_fleet

@Suite struct `The secrets in a command line of a fleet` {
    @Test(
        arguments: [
            (["submit", "http://me:pw@h/x"], ["submit", "http://*****@h/x"]),
            (["submit", "http://h/x?token=ab&a=1"], ["submit", "http://h/x?token=**&a=1"]),
            (["submit", "http://h/a@b", "-i", "me@list"], ["submit", "http://h/a@b", "-i", "me@list"]),
            (["--server", "nats://a:b@h"], ["--server", "nats://***@h"]),
            (["--server=nats://a:b@h,nats://c:d@i"], ["--server=nats://****************@i"]),
            (["--server", "a:b@h"], ["--server", "***@h"]), (["--server", "nats://h"], ["--server", "nats://h"]),
            (["--token", "abc"], ["--token", "***"]), (["--token=abc"], ["--token=***"]), (["--token"], ["--token"]),
        ] as [([String], [String])])
    func `are masked, and nothing else is`(arguments: [String], shown: [String]) {
        var bytes = arguments.map { Array($0.utf8) }
        for place in FleetSecrets.places(in: arguments) {
            for byte in place.bytes { bytes[place.argument][byte] = UInt8(ascii: "*") }
        }
        expectEqual(bytes.map { String(decoding: $0, as: UTF8.self) }, shown)
    }
}
