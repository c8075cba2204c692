import Foundation
import TestSupport
import Testing

/// In a network namespace of the test's own, whose loopback interface is down at first.
@Suite(.serialized, .enabled(if: Namespace.isAvailable)) struct `A machine without a network` {
    /// As after a laptop wakes up: a transfer that failed because there was no route continues by itself.
    @Test func `continues by itself when the network returns, without using up its tries`() async throws {
        let folder = try TestFolder()
        // The namespace has every port to itself.
        let port = 8000
        let code = try await Namespace.run(
            """
            # It listens before there is a network, so that no try meets a server that is about to start.
            "$SERVER" --port \(port) > /dev/null &
            server=$!
            "$WINCH" http://127.0.0.1:\(port)/f/x?size=5000 -d got --max-tries 2 --retry-wait 0.2 --output json > out &
            winch=$!
            until grep -q 'network unreachable' out && [ $(grep -c retrying out) -ge 4 ]; do sleep 0.02; done
            ip link set lo up
            wait $winch; code=$?
            kill $server
            exit $code
            """, in: folder)
        let text = try folder.text("out")
        expectEqual(code, 0, "\(text)")
        try expectEqual(folder.size("got/x"), 5000)
    }

    @Test func `reports that no name server can be reached rather than an unknown host`() async throws {
        let folder = try TestFolder()
        let code = try await Namespace.run(
            "\"$WINCH\" http://host.test/x -d got --max-tries 1 > out", in: folder)
        expectEqual(code, 19)
        let text = try folder.text("out")
        expect(text.contains("network or name server unreachable"), "\(text)")
    }
}

private enum Namespace {
    static let isAvailable: Bool = {
        let probe = try? Child("/usr/bin/unshare", ["-rn", "sh", "-c", "ip link set lo up"])
        let deadline = Date.now.addingTimeInterval(20)
        while let probe, probe.ending() == nil, Date.now < deadline { usleep(10_000) }
        return probe?.ending() == 0
    }()

    /// - Returns: the script's exit code.
    static func run(_ script: String, in folder: TestFolder) async throws -> Int32? {
        var environment = Program.environment(in: folder)
        environment["WINCH"] = Program.winch
        environment["SERVER"] = Product.path("fault-server")
        let child = try Child(
            "/usr/bin/unshare", ["-rn", "sh", "-c", script], in: folder.url.path, environment: environment)
        return try await child.end(within: 120)
    }
}
