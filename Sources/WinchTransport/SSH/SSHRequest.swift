import WinchModel

/// How an SSH connection is to be made.
struct SSHRequest: Hashable {
    var user: String
    var password: String?
    var keyFile: String?
    var passphrase: Secret?
    /// Bits of `WINCH_SSH_...`.
    var methods: Int
    /// A known_hosts file of one line, from which libcurl takes the type of key that it asks the server for; `nil`: any.
    var wantedType: String?
    /// The user's known_hosts, where libcurl decides by itself; `nil`: any key will do.
    var knownHosts: String?
}
