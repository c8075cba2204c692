import Foundation
import TestSupport

/// A suite whose commands run in one folder and keep their state in `state` in it: they reach the same session.
protocol SessionSuite {
    var folder: TestFolder { get }
}

extension SessionSuite {
    var socket: String { folder.path("state/session.socket") }

    func program(_ arguments: [String], input: String? = nil) throws -> Program {
        try Program(arguments + ["--state-dir", folder.path("state")], in: folder, input: input)
    }

    func winch(_ arguments: String..., input: String? = nil) async throws -> Program.Result {
        try await program(arguments, input: input).wait()
    }

    /// The object of `winch status --json`.
    func report() async throws -> [String: Any] {
        let json = try await winch("status", "--json").output
        return try require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }

    /// Waits until `winch status` says something.
    ///
    /// - Returns: all that it says then.
    @discardableResult
    func status(has words: String) async throws -> String {
        var output = ""
        try await eventually(words) {
            output = try await winch("status").output
            return output.contains(words)
        }
        return output
    }
}
