import WinchModel
import WinchSSH

/// Invariants of the parsers of known_hosts, ssh_config and private keys.
enum SSHPromises {
    static func fault(_ bytes: [UInt8]) -> String? {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
        let hosts = KnownHosts(parsing: bytes)
        let verdict = hosts.verdict(on: [1, 2, 3], type: "ssh-ed25519", of: "host") { $0 + Array($1.utf8) }
        switch verdict {
        case .revoked(let line), .changed(let line):
            if !(1...lines).contains(line) { return "line \(line) of \(lines)" }
        case .trusted:
            if bytes.firstRange(of: "AQID".utf8) == nil { return "a key is trusted that does not stand there" }
        case .unknown: break
        }
        let config = SSHConfig(parsing: bytes, name: "config") { _ in [("again", Array(bytes.prefix(200)))] }
        let settings = config.settings(for: "host")
        if let port = settings.port, !(1...65535).contains(port) { return "port \(port)" }
        _ = SSHKeyFile(parsing: bytes)
        return nil
    }
}
