import Dispatch
import Glibc
import TestSupport
import Testing

@testable import WinchTransport

@Suite struct `An SSH agent` {
    /// What it answers, and whether it closes the connection then.
    private static let answers: [(bytes: [UInt8], closes: Bool, problem: String?)] = [
        ([0, 0, 0, 25, 12, 0, 0, 0, 2, 0], false, nil),
        ([0, 0, 0, 5, 12, 0, 0, 0, 0], false, "the agent has no keys"),
        ([0, 0, 0, 1, 5, 0, 0, 0, 0], false, "does not tell its keys"),
        ([0, 0, 0], true, "closed the connection"),
        ([], true, "closed the connection"),
        ([0, 0, 0, 25, 12], false, "did not answer within 2 s"),
    ]

    @Test(arguments: answers)
    func `is used if it answers with keys in time`(bytes: [UInt8], closes: Bool, problem: String?) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/agent"
        let listener = try require(listen(at: path))
        let end = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            defer { end.signal() }
            let connection = Descriptor(accept(listener.number, nil, nil))
            var request = [UInt8](repeating: 0, count: 5)
            _ = recv(connection.number, &request, 5, Int32(MSG_WAITALL))
            expectEqual(request, [0, 0, 0, 1, 11])
            _ = send(connection.number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            // Until the other side is gone.
            if !closes { _ = recv(connection.number, &request, 1, 0) }
        }
        let agent = SSHAgent(socket: path)
        end.wait()
        expectEqual(agent.isUsable, problem == nil)
        expectEqual(
            agent.problem.map { words in problem.map { words.hasSuffix($0) } ?? false }, problem.map { _ in true })
    }

    @Test func `that does not run is not used`() throws {
        let folder = try TemporaryFolder()
        let agent = SSHAgent(socket: folder.path + "/none")
        expect(!agent.isUsable)
        expectEqual(agent.problem, "the agent at \(folder.path)/none cannot be asked: does not exist")
        let long = "/" + String(repeating: "x", count: 200)
        expectEqual(SSHAgent(socket: long).problem, "the agent at \(long) has a path that is too long")
    }

    private func listen(at path: String) -> Descriptor? {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, size) }
        }
        guard code == 0, Glibc.listen(number, 1) == 0 else { return nil }
        return Descriptor(number)
    }
}
