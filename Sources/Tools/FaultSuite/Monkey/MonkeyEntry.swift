import FaultServer

/// An entry of a session's batch: a file name that is hard to display, and options that make the server misbehave.
enum MonkeyEntry {
    private static let troubles: [[String]] = [
        [], [], [], ["rate=20K"], ["rate=200K"], ["latency=0.4"], ["latency=3"], ["stall=500"], ["stall=0"],
        ["stallfirst=900"], ["status=404"], ["status=503,200", "retryafter=1"], ["status=500"], ["status=403"],
        ["status=close,200"], ["status=reset"], ["redirect=2"], ["redirect=25"], ["drop=4K"], ["dropfirst=2K"],
        ["dropfirst=2K", "reset"], ["chunked"], ["nolength"], ["head=405"], ["headdelay=2"],
        ["limit=1", "limitkey=one"],
        ["disposition=attachment; filename=\"\u{1B}[31mred\u{1B}]0;x\u{07}\""], ["disposition=inline; filename=東京.txt"],
        ["type=text/\u{1B}[2Jhtml"], ["header=X-Odd: \u{1B}[31m\u{9B}2J"], ["hints=2"], ["user=alice", "pass=secret"],
        ["flood=64K"], ["http10"], ["ranges=off"], ["etag=\u{1B}[7mv1"],
    ]
    /// Answers that make the transfer fail and contain escape sequences.
    private static let answers = [
        "HTTP/1.1 500 \u{1B}[2J\u{1B}]0;owned\u{07}Bad\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 404 \u{202E}東京\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\u{1B}[31m\r\nContent-Length: 0\r\n\r\n",
        "\u{1B}[2Jno HTTP at all\r\n\r\n",
    ]

    static func line(origin: String, using random: inout SplitMix) -> String {
        if Int.random(in: 0..<15, using: &random) == 0 {
            let answer = answers.randomElement(using: &random) ?? ""
            return origin + "/raw?bytes=" + percent(answer)
        }
        let isHostile = Int.random(in: 0..<3, using: &random) > 0
        let number = Int.random(in: 1...999_999, using: &random)
        let name = isHostile ? HostileText.names.randomElement(using: &random) ?? "x" : "file-\(number).bin"
        let sizes = [0, 1, 900, 5_000, 40_000, 200_000, 200_000, 1_500_000]
        let own = troubles.randomElement(using: &random) ?? []
        // `size` and `seed` in the request determine the content, so that a file can be checked whatever its name is.
        let options = ["size=\(sizes.randomElement(using: &random) ?? 0)", "seed=\(number)"] + own
        return origin + "/f/" + percent(name) + "?" + options.map(option).joined(separator: "&")
    }

    /// As it stands in a query.
    static func option(_ text: String) -> String {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.map { percent(String($0)) }.joined(separator: "=")
    }

    static func percent(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ","):
                String(Unicode.Scalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
