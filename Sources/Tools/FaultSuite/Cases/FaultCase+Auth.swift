extension FaultCase {
    private static let guarded = "/f/a?user=alice&pass=secret"

    /// When a login gets the file, and which servers receive the password.
    static let auth: [FaultCase] = [
        FaultCase(
            .auth, "a login", "wants one", [guarded], [.login("alice", "secret")],
            gives: .whole("a").neverSaying("secret")),
        FaultCase(
            .auth, "no login", "wants one", [guarded], gives: .fails(24, saying: "401").withoutParts.requests(1...1)),
        FaultCase(
            .auth, "a wrong password", "wants another", [guarded], [.login("alice", "guess")],
            gives: .fails(24).withoutParts.requests(1...2).neverSaying("guess")),
        FaultCase(
            .auth, "a login in the URL", "wants one", ["{login}/f/a?user=alice&pass=secret"],
            gives: .whole("a").neverSaying("secret")),
        FaultCase(
            .auth, "a login from netrc", "wants one", [guarded], [.netrc],
            before: [.file("home/.netrc", "machine 127.0.0.1 login alice password secret\n")], gives: .whole("a")),
        FaultCase(
            .auth, "netrc for another host", "wants one", [guarded], [.netrc],
            before: [.file("home/.netrc", "machine example.org login alice password secret\n")],
            gives: .fails(24).seeing(.never(.server, header: "Authorization", holding: ""))),
        FaultCase(
            .auth, "a digest login", "wants Digest", [guarded + "&digest"], [.login("alice", "secret")],
            gives: .whole("a")),
        FaultCase(
            .auth, "a wrong digest password", "wants Digest and another password", [guarded + "&digest"],
            [.login("alice", "guess")], gives: .fails(24).withoutParts.requests(1...4)),
        FaultCase(
            .auth, "a login after a drop", "wants one, breaks off once", [guarded + "&dropfirst=30K"],
            [.login("alice", "secret")], gives: .whole("a").sending(atMost: 70 << 10)),
        FaultCase(
            .auth, "a cookie for this host", "looks for it", ["/f/a"], [.cookies("{home}/cookies")],
            before: [.file("home/cookies", "127.0.0.1\tFALSE\t/\tFALSE\t0\tid\tmine\n")],
            gives: .whole("a").seeing(.once(.server, header: "Cookie", holding: "id=mine"))),
        FaultCase(
            .auth, "a cookie for another host", "looks for it", ["/f/a"], [.cookies("{home}/cookies")],
            before: [.file("home/cookies", "example.org\tFALSE\t/\tFALSE\t0\tid\tmine\n")],
            gives: .whole("a").seeing(.never(.server, header: "Cookie", holding: ""))),
        FaultCase(
            .auth, "a cookie set on the way", "sets it in a redirect and looks for it",
            ["/f/a?redirect=1&" + header("Set-Cookie: step=one; Path=/")], [.cookies("{home}/cookies")],
            before: [.file("home/cookies", "")],
            gives: .whole("a").seeing(.once(.server, header: "Cookie", holding: "step=one"))),
        FaultCase(
            .auth, "an untrusted certificate", "has signed its certificate itself", ["{tls}/file"], [.tries(1)],
            on: .secure(["file": "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello\n"]),
            gives: .fails(6, saying: "not trusted").withoutParts),
        FaultCase(
            .auth, "a certificate we were told of", "has signed its certificate itself", ["{tls}/file"],
            [.trust("{home}/cert.pem"), .tries(2)],
            on: .secure(["file": "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello\n"]),
            gives: .files(["file": .text("hello\n")])),
    ]
}
