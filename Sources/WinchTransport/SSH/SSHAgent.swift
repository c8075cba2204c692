import Glibc
import WinchModel

/// The agent that `SSH_AUTH_SOCK` names.
///
/// libssh2 asks it for its keys without a limit of time, on the thread that many transfers share, and for ever when it closes the
/// connection. So it is asked here before.
struct SSHAgent {
    /// It has answered with keys.
    var isUsable = false
    /// Why it is not used; `nil`: there is none, or it is used.
    var problem: String?

    /// An agent answers within milliseconds, unless it is a forwarded one whose connection hangs.
    private static let patience: Int32 = 2000
    /// SSH_AGENTC_REQUEST_IDENTITIES, SSH_AGENT_IDENTITIES_ANSWER: https://www.ietf.org/archive/id/draft-miller-ssh-agent-17.html
    private static let (request, answer): ([UInt8], UInt8) = ([0, 0, 0, 1, 11], 12)

    init() {}

    /// Waits for its answer, two seconds at most.
    init(socket path: String) {
        do throws(Silence) {
            let count = try Self.countKeys(path)
            isUsable = count > 0
            if count == 0 { problem = "the agent has no keys" }
        } catch {
            problem = "the agent at \(path) \(error.words)"
        }
    }

    private struct Silence: Error {
        var words: String
    }

    private static func countKeys(_ path: String) throws(Silence) -> Int {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = path.systemBytes
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw Silence(words: "has a path that is too long")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard number >= 0 else { throw Silence(words: "cannot be asked: \(ErrnoFailure.words(errno))") }
        let agent = Descriptor(number)
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(number, $0, size) }
        }
        guard code == 0 else { throw Silence(words: "cannot be asked: \(ErrnoFailure.words(errno))") }
        let head = withExtendedLifetime(agent) { exchange(number) }
        guard let head else { throw Silence(words: "did not answer within 2 s") }
        // The length, the type, and the number of keys.
        guard head.count == 9 else { throw Silence(words: "closed the connection") }
        guard head[4] == answer else { throw Silence(words: "does not tell its keys") }
        return head[5...].reduce(0) { $0 << 8 | Int($1) }
    }

    /// - Returns: the first bytes of the answer, fewer when the agent closes; `nil`: it says nothing.
    private static func exchange(_ number: Int32) -> [UInt8]? {
        guard send(number, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return [] }
        var head: [UInt8] = []
        let deadline = SystemClock.moment() + .milliseconds(Int(patience))
        while head.count < 9 {
            let left = Int32(clamping: (deadline - SystemClock.moment()).nanoseconds / 1_000_000)
            var wait = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            guard left > 0 else { return nil }
            guard poll(&wait, 1, left) > 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: 9 - head.count)
            let count = recv(number, &bytes, bytes.count, 0)
            guard count > 0 else { return head }
            head += bytes[..<count]
        }
        return head
    }
}
