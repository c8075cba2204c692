extension FaultCase {
    private static func to(_ address: String) -> String { "redirectto=" + percentEncoded(address) }

    /// Redirects, allowed and refused.
    static let redirects: [FaultCase] =
        [301, 302, 303, 307, 308].map { FaultCase("\($0)", "/f/a?redirect=1&redirectcode=\($0)") } + [
            FaultCase("to a relative path", "/f/a?\(to("b?size=100K"))", gives: .whole("a", 100 << 10, of: "b")),
            FaultCase("up and down", "/f/a?\(to("../f/./x/../b"))", gives: .whole("a", of: "b")),
            FaultCase("with a fragment", "/f/a?\(to("/f/b#part"))", gives: .whole("a", of: "b")),
            FaultCase("to another origin", "/f/a?\(to("{other}/f/b"))", gives: .whole("a", of: "b")),
            FaultCase(
                "a login stays at home", "\(guarded)&\(to("{other}/f/b")) \(login)",
                gives: .whole("a", of: "b").telling("Authorization", "Basic").hiding("Authorization")),
            FaultCase(
                "in a circle", "/f/a?\(to("/f/a"))&redirect=100", gives: .fails(23, saying: "redirect").withoutParts),
            FaultCase("as many as allowed", "/f/a?redirect=3 --max-redirs 3"),
            FaultCase(
                "one more than allowed", "/f/a?redirect=4 --max-redirs 3",
                gives: .fails(23, saying: "redirects").withoutParts.requests(4...4)),
            FaultCase("to file://", "/f/a?\(to("file:///etc/passwd"))", gives: .fails(23).withoutParts),
            FaultCase("to ftp://", "/f/a?\(to("ftp://127.0.0.1:1/a"))", gives: .fails(23).withoutParts),
            FaultCase("without an address", "/f/a?status=302", gives: .fails(23).withoutParts),
            FaultCase("to nowhere", "/f/a?\(to(""))", gives: .fails(22, 23).withoutParts),
            FaultCase("to a missing file", "/f/a?\(to("/f/b?status=404"))", gives: .fails(3).withoutParts),
        ]
}

extension FaultCase {
    private static let guarded = "/f/a?user=alice&pass=secret"
    private static let login = "--user alice --password secret"

    /// When a login gets the file, and which servers receive the password.
    static let auth: [FaultCase] = [
        FaultCase(
            "a wrong password", "\(guarded) --user alice --password guess",
            gives: .fails(24).withoutParts.requests(1...2).neverSaying("guess")),
        FaultCase("a login in the URL", "{login}/f/a?user=alice&pass=secret", gives: .whole("a").neverSaying("secret")),
        FaultCase(
            "a login from netrc", "\(guarded) --netrc",
            before: ["home/.netrc": .text("machine 127.0.0.1 login alice password secret\n")]),
        FaultCase(
            "netrc for another host", "\(guarded) --netrc",
            before: ["home/.netrc": .text("machine example.org login alice password secret\n")],
            gives: .fails(24).hiding("Authorization")),
        FaultCase(
            "a wrong digest password", "\(guarded)&digest --user alice --password guess",
            gives: .fails(24).withoutParts.requests(1...4)),
        FaultCase(
            "a login after a drop", "\(guarded)&dropfirst=30K \(login)", gives: .whole("a").sending(atMost: 70 << 10)),
        FaultCase(
            "a cookie for this host", "/f/a --cookies {home}/cookies",
            before: ["home/cookies": .text("127.0.0.1\tFALSE\t/\tFALSE\t0\tid\tmine\n")],
            gives: .whole("a").telling("Cookie", "id=mine")),
    ]
}
