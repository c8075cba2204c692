import CTransport

/// What bytes are moved with, for people who ask.
public enum TransportInfo {
    /// libcurl's version and those of the libraries below it.
    public static var version: String { String(cString: winch_curl_version()) }
}
