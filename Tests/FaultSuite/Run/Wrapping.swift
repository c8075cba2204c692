import FaultServer
import Foundation

/// The words before Winch's command line that set up the case's environment.
struct Wrapping: Sendable {
    var words: [String] = []
    /// Where the files are afterwards, below the scratch folder.
    var results = "got"

    /// - Throws: `Impossible` when this machine does not permit it.
    static func of(_ testEnvironment: TestEnvironment, in scratch: Scratch) async throws -> Wrapping {
        switch testEnvironment {
        case .plain, .secure: return Wrapping()
        case .noState:
            chmod(scratch["state"], 0o555)
            return try await unprivileged(in: scratch)
        case .readOnly:
            chmod(scratch["got"], 0o555)
            return try await unprivileged(in: scratch)
        case .fileLimit(let kibibytes):
            // `ulimit -f` counts blocks of 512 bytes (POSIX).
            return Wrapping(words: ["sh", "-c", "ulimit -f \(kibibytes * 2); exec \"$@\"", "sh"])
        case .fewDescriptors(let count):
            return Wrapping(words: ["sh", "-c", "ulimit -n \(count); exec \"$@\"", "sh"])
        case .smallDisk(let kibibytes, let filler, let freedAfter):
            return try await smallDisk(kibibytes, filler, freedAfter, in: scratch)
        }
    }

    struct Impossible: Error {
        let reason: String
    }

    /// Root may write anywhere; without these capabilities the permission bits apply to it as well.
    private static func unprivileged(in scratch: Scratch) async throws -> Wrapping {
        guard geteuid() == 0 else { return Wrapping() }
        let words = [
            "setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--inh-caps",
            "-dac_override,-dac_read_search",
        ]
        guard try await succeeds(words + ["true"], in: scratch) else {
            throw Impossible(reason: "root, and no setpriv to be less")
        }
        return Wrapping(words: words)
    }

    /// Mounted in a mount namespace of its own: the file system disappears with the process in every case.
    private static func smallDisk(_ kibibytes: Int, _ filler: Int, _ freedAfter: Double?, in scratch: Scratch)
        async throws -> Wrapping
    {
        let outside = geteuid() == 0 ? ["unshare", "-m"] : ["unshare", "-rm"]
        guard try await succeeds(outside + ["mount", "-t", "tmpfs", "tmpfs", scratch["config"]], in: scratch) else {
            throw Impossible(reason: "no right to mount a small disk")
        }
        var script = "mount -t tmpfs -o size=\(kibibytes)k tmpfs got || exit 99\n"
        if filler > 0 { script += "dd if=/dev/zero of=got/.filler bs=1024 count=\(filler) 2>/dev/null\n" }
        if let freedAfter { script += "(sleep \(freedAfter); rm got/.filler) &\n" }
        script += "\"$@\"; code=$?; wait; mkdir kept; cp -a got/. kept/; exit $code\n"
        return Wrapping(words: outside + ["sh", "-c", script, "sh"], results: "kept")
    }

    private static func succeeds(_ words: [String], in scratch: Scratch) async throws -> Bool {
        let child = try Child(
            words[0], Array(words.dropFirst()), in: scratch.path,
            environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"], streams: .together(scratch["probe.log"]))
        return try await child.end(within: 10) == 0
    }
}

/// `openssl s_server` with a self-signed certificate. It answers with fixed texts, which contain the head and the body.
final class SecureServer: Sendable {
    let origin: String
    private let child: Child

    /// - Parameter answers: by path without the slash; a copy of the certificate goes to `home/cert.pem`.
    init(_ answers: [String: String], in scratch: Scratch) async throws {
        guard mkdir(scratch["secure"], 0o755) == 0 else { throw SuiteFailure.cannotPrepare("secure") }
        for (name, text) in answers { try scratch.write(text, to: "secure/" + name) }
        let environment = ["PATH": "/usr/bin:/bin", "HOME": scratch["home"]]
        let maker = try Child(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", scratch["key.pem"],
                "-out", scratch["home/cert.pem"],
            ], in: scratch.path, environment: environment, streams: .together(scratch["openssl.log"]))
        guard try await maker.end(within: 20) == 0 else { throw SuiteFailure.cannotPrepare("a certificate") }
        (child, origin) = try await Self.listening(scratch, environment)
    }

    /// Another process may take the free port before this server listens on it: then another port is tried.
    private static func listening(_ scratch: Scratch, _ environment: [String: String]) async throws -> (Child, String) {
        for _ in 0..<5 {
            let port = try await FaultServer.serving { $0.port }
            let child = try Child(
                "openssl",
                [
                    "s_server", "-accept", "127.0.0.1:\(port)", "-cert", scratch["home/cert.pem"], "-key",
                    scratch["key.pem"], "-HTTP", "-naccept", "50",
                ], in: scratch["secure"], environment: environment, streams: .together(scratch["secure.log"]))
            for _ in 0..<1000 {
                if scratch.text("secure.log").contains("ACCEPT") { return (child, "https://localhost:\(port)") }
                if child.ending() != nil { break }
                try await Task.sleep(for: .milliseconds(5))
            }
            child.signal(SIGKILL)
            _ = try? await child.end(within: 5)
        }
        throw SuiteFailure.cannotPrepare("a secure server")
    }

    func stop() async {
        child.signal(SIGKILL)
        _ = try? await child.end(within: 5)
    }
}
