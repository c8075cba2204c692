import CTransport

/// The library below libcurl.
enum SSHLibrary {
    /// `libssh2/1.10.0`.
    static var version: String { winch_ssh_version().map { String(cString: $0) } ?? "" }

    /// libssh2 before 1.11 knows RSA with SHA-1 only, which OpenSSH refuses since 8.8.
    static var signsWithSHA1: Bool {
        let parts = version.split(separator: "/")
        guard parts.count == 2, parts[0] == "libssh2" else { return false }
        let numbers = parts[1].split(separator: ".").compactMap { Int($0) }
        return numbers.count >= 2 && (numbers[0], numbers[1]) < (1, 11)
    }
}
