import CTransport

/// The version of libcurl and of the libraries below it, as `winch info` shows it.
package enum CurlVersion {
    package static var text: String { String(cString: winch_curl_version()) }
}
