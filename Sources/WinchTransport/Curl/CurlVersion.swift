import CTransport

/// The version of libcurl and of the libraries below it, as `winch info` shows it.
public enum CurlVersion {
    public static var text: String { String(cString: winch_curl_version()) }
}
