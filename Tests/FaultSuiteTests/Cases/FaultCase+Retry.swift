extension FaultCase {
    /// Which failures are retried, when, and how often.
    static let retry: [FaultCase] = [
        FaultCase("503, 502, 504", "/f/a?status=503,502,504,200 --max-tries 5"),
        FaultCase("503 for ever", "/f/a?status=503", gives: .fails(29, saying: "503").withoutParts.requests(3...3)),
        FaultCase(
            "503 many times, tries without end", "/f/a?status=503,503,503,503,503,503,200 --max-tries 0",
            gives: .whole("a").requests(7...7)),
        FaultCase("404", "/f/a?status=404", gives: .fails(3, saying: "404").withoutParts.requests(1...1)),
        FaultCase(
            "429 with seconds", "/f/a?status=429,200&retryafter=1", gives: .whole("a").requests(2...2).lasting(1)),
        FaultCase("refused at first", "{late}/f/a --max-tries 60"),
        FaultCase("drops at the first byte", "/f/a?drop=0", gives: .fails(22, 6).withoutParts.requests(3...3)),
        FaultCase(
            "a crawling connection", "/f/a?size=300K&ratefirst=100 --timeout 1",
            gives: .whole("a", 300 << 10).requests(2...3)),
        FaultCase(
            "a stalled connection", "/f/a?size=300K&stallfirst=100K --timeout 1",
            gives: .whole("a", 300 << 10).requests(2...2).sending(atMost: 310 << 10)),
        FaultCase(
            "all mirrors dead", batch: "{server}/f/x?status=404\t{server}/f/y?status=410\n out=a\n",
            gives: .fails(3).withoutParts),
        FaultCase(
            "a mirror that holds another file",
            batch: "{server}/f/x?size=200K&dropfirst=100K&status=200,404\t{server}/f/a?size=300K\n out=a\n",
            gives: .whole("a", 300 << 10)),
        FaultCase(
            "one host down, the other up", "/f/x?status=503 {other}/f/a", gives: .files(["a": .served("a")], code: 29)),
    ]
}
