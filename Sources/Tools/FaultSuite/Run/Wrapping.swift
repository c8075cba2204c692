import Foundation

/// The words before a tool's command line that set up the case's terrain.
struct Wrapping: Sendable {
    /// Words before the tool's own.
    var words: [String] = []
    /// Where the tool's files are afterwards, below the scratch folder.
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
    private static func smallDisk(
        _ kibibytes: Int, _ filler: Int, _ freedAfter: Double?, in scratch: Scratch
    ) async throws -> Wrapping {
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
            environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"],
            streams: .together(scratch["probe.log"]))
        return try await child.end(within: 10) == 0
    }
}
