extension FaultCase {
    private static func to(_ address: String) -> String { "redirectto=" + address }

    /// Redirects, allowed and refused.
    static let redirects: [FaultCase] =
        [301, 302, 303, 307, 308].map {
            FaultCase(.redirects, "\($0)", ["/f/a?redirect=1&redirectcode=\($0)"], gives: .whole("a"))
        } + [
            FaultCase(.redirects, "five hops", ["/f/a?redirect=5"], gives: .whole("a").requests(6...6)),
            FaultCase(
                .redirects, "to a relative path", ["/f/a?" + to(percentEncoded("b?size=100K"))],
                gives: .whole("a", 100 << 10, of: "b")),
            FaultCase(
                .redirects, "up and down", ["/f/a?" + to(percentEncoded("../f/./x/../b"))], gives: .whole("a", of: "b")),
            FaultCase(
                .redirects, "with a fragment", ["/f/a?" + to(percentEncoded("/f/b#part"))], gives: .whole("a", of: "b")),
            FaultCase(.redirects, "to another origin", ["/f/a?" + to("{other}/f/b")], gives: .whole("a", of: "b")),
            FaultCase(
                .redirects, "a login stays at home", ["/f/a?user=alice&pass=secret&" + to("{other}/f/b")],
                [.login("alice", "secret")],
                gives: .whole("a", of: "b").seeing(
                    .never(.other, header: "Authorization", holding: ""),
                    .once(.server, header: "Authorization", holding: "Basic"))),
            FaultCase(
                .redirects, "an Authorization header stays at home", ["/f/a?" + to("{other}/f/b")],
                [.header("Authorization: Bearer secret")],
                gives: .whole("a", of: "b").seeing(
                    .never(.other, header: "Authorization", holding: ""),
                    .once(.server, header: "Authorization", holding: "secret"))),
            FaultCase(
                .redirects, "a Cookie header stays at home", ["/f/a?" + to("{other}/f/b")],
                [.header("Cookie: id=secret")],
                gives: .whole("a", of: "b").seeing(
                    .never(.other, header: "Cookie", holding: "secret"),
                    .once(.server, header: "Cookie", holding: "secret"))),
            FaultCase(
                .redirects, "a URL's login stays at home", ["{login}/f/a?" + to("{other}/f/b")],
                gives: .whole("a", of: "b").seeing(.never(.other, header: "Authorization", holding: "")).neverSaying(
                    "secret")),
            FaultCase(
                .redirects, "in a circle", ["/f/a?" + to("/f/a") + "&redirect=100"],
                gives: .fails(23, saying: "redirect").withoutParts),
            FaultCase(.redirects, "as many as allowed", ["/f/a?redirect=3"], [.maxRedirects(3)], gives: .whole("a")),
            FaultCase(
                .redirects, "one more than allowed", ["/f/a?redirect=4"], [.maxRedirects(3)],
                gives: .fails(23, saying: "redirects").withoutParts.requests(4...4)),
            FaultCase(
                .redirects, "none allowed", ["/f/a?redirect=1"], [.maxRedirects(0)], gives: .fails(23).withoutParts),
            FaultCase(.redirects, "to file://", ["/f/a?" + to("file:///etc/passwd")], gives: .fails(23).withoutParts),
            FaultCase(.redirects, "to ftp://", ["/f/a?" + to("ftp://127.0.0.1:1/a")], gives: .fails(23).withoutParts),
            FaultCase(
                .redirects, "to gopher://", ["/f/a?" + to("gopher://127.0.0.1:1/a")], gives: .fails(23).withoutParts),
            FaultCase(.redirects, "without an address", ["/f/a?status=302"], gives: .fails(23).withoutParts),
            FaultCase(.redirects, "to nowhere", ["/f/a?" + to("")], gives: .fails(22, 23).withoutParts),
            FaultCase(
                .redirects, "to a missing file", ["/f/a?" + to(percentEncoded("/f/b?status=404"))],
                gives: .fails(3).withoutParts),
        ]
}

extension FaultCase {
    private static let guarded = "/f/a?user=alice&pass=secret"

    /// When a login gets the file, and which servers receive the password.
    static let auth: [FaultCase] = [
        FaultCase(.auth, "a login", [guarded], [.login("alice", "secret")], gives: .whole("a").neverSaying("secret")),
        FaultCase(.auth, "no login", [guarded], gives: .fails(24, saying: "401").withoutParts.requests(1...1)),
        FaultCase(
            .auth, "a wrong password", [guarded], [.login("alice", "guess")],
            gives: .fails(24).withoutParts.requests(1...2).neverSaying("guess")),
        FaultCase(
            .auth, "a login in the URL", ["{login}/f/a?user=alice&pass=secret"],
            gives: .whole("a").neverSaying("secret")),
        FaultCase(
            .auth, "a login from netrc", [guarded], [.netrc],
            before: [.file("home/.netrc", "machine 127.0.0.1 login alice password secret\n")], gives: .whole("a")),
        FaultCase(
            .auth, "netrc for another host", [guarded], [.netrc],
            before: [.file("home/.netrc", "machine example.org login alice password secret\n")],
            gives: .fails(24).seeing(.never(.server, header: "Authorization", holding: ""))),
        FaultCase(.auth, "a digest login", [guarded + "&digest"], [.login("alice", "secret")], gives: .whole("a")),
        FaultCase(
            .auth, "a wrong digest password", [guarded + "&digest"], [.login("alice", "guess")],
            gives: .fails(24).withoutParts.requests(1...4)),
        FaultCase(
            .auth, "a login after a drop", [guarded + "&dropfirst=30K"], [.login("alice", "secret")],
            gives: .whole("a").sending(atMost: 70 << 10)),
        FaultCase(
            .auth, "a cookie for this host", ["/f/a"], [.cookies("{home}/cookies")],
            before: [.file("home/cookies", "127.0.0.1\tFALSE\t/\tFALSE\t0\tid\tmine\n")],
            gives: .whole("a").seeing(.once(.server, header: "Cookie", holding: "id=mine"))),
        FaultCase(
            .auth, "a cookie for another host", ["/f/a"], [.cookies("{home}/cookies")],
            before: [.file("home/cookies", "example.org\tFALSE\t/\tFALSE\t0\tid\tmine\n")],
            gives: .whole("a").seeing(.never(.server, header: "Cookie", holding: ""))),
        FaultCase(
            .auth, "a cookie set on the way", ["/f/a?redirect=1&" + header("Set-Cookie: step=one; Path=/")],
            [.cookies("{home}/cookies")], before: [.file("home/cookies", "")],
            gives: .whole("a").seeing(.once(.server, header: "Cookie", holding: "step=one"))),
    ]
}
