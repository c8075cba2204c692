import CTransport

/// The version of this program, as `--version` shows it and requests carry it in their User-Agent.
package enum WinchVersion {
    package static let text = "0.1.0"
}

/// The version of libcurl and of the libraries below it, as `winch info` shows it.
package enum CurlVersion {
    package static var text: String { String(cString: winch_curl_version()) }
}
