import Glibc
import TestSupport
import Testing
import WinchModel

@testable import WinchSession

@Suite(.timeLimit(.minutes(5))) struct `The server of a session` {
    /// Returns when there is something to read; the client's end does not block by itself.
    private func wait(for file: OpenFile) {
        var interest = [pollfd(fd: file.number, events: Int16(POLLIN), revents: 0)]
        _ = poll(&interest, 1, -1)
    }

    /// Ends with the connection.
    private func readAll(_ file: OpenFile) -> String {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            wait(for: file)
            let count = recv(file.number, &bytes, bytes.count, 0)
            guard count > 0 else { return String(decoding: all, as: UTF8.self) }
            all += bytes[..<count]
        }
    }

    @Test func `greets a client, and tells it when the session ends`() throws {
        let folder = try TemporaryFolder()
        let place = SessionSocket(folder: folder.path + "/state")
        let record = SessionRecord()
        let server = try SessionServer(try place.listen(), greeting: .sample, ports: record.actions)
        server.start()
        let client = try place.connect()
        var first = [UInt8](repeating: 0, count: 1)
        wait(for: client)
        expectEqual(recv(client.number, &first, 1, 0), 1)
        server.stop()
        let text = readAll(client)
        expect(text.contains(#""pid":7"#))
        expect(text.hasSuffix(#"{"closing":"the session was stopped; partial files are kept"}"# + "\n"))
    }
}
