import TestSupport
import Testing

@testable import WinchModel

@Suite struct `An HTTP status` {
    /// IANA's registry of October 2025.
    private static let registered =
        Array(100...104) + Array(200...208) + [226] + Array(300...308) + Array(400...418) + Array(421...426)
        + [428, 429, 431, 451] + Array(500...508) + [510, 511]

    @Test(arguments: [
        (401, "login needed"), (404, "not found"), (423, "locked"), (429, "too many requests"),
        (503, "service unavailable"), (507, "server's disk is full"), (599, "server error"), (499, "refused"),
        (999, "refused"), (202, "accepted, not done yet"),
    ])
    func `has words that say what it means`(code: Int, words: String) {
        expectEqual(HTTPStatus.words(code), words)
        expectEqual(TransferFailure.httpStatus(code).message, "\(code) \(words)")
    }

    @Test func `has words of its own when it is registered`() {
        let common = ["interim response", "success", "redirect", "refused"]
        for code in Self.registered { expect(!common.contains(HTTPStatus.words(code)), "\(code)") }
    }

    @Test func `of a download is the file only when its body is the file`() {
        let files = (100...599).filter { HTTPStatus.meaning($0, of: .download) == .done }
        expectEqual(files.filter(Self.registered.contains), [200, 203, 206])
        expectEqual(HTTPStatus.meaning(299, of: .download), .done)
    }

    @Test(
        arguments: [
            (202, [.later, .done, .done]), (201, [.never, .done, .done]), (408, [.later, .later, .later]),
            (409, [.laterIfAsked, .never, .later]), (421, [.later, .later, .later]), (423, [.later, .later, .later]),
            (425, [.later, .later, .later]), (429, [.later, .later, .later]), (451, [.laterIfAsked, .never, .never]),
            (413, [.laterIfAsked, .laterIfAsked, .laterIfAsked]), (501, [.never, .never, .never]),
            (500, [.laterUnlessSentOnce, .laterUnlessSentOnce, .laterUnlessSentOnce]), (503, [.later, .later, .later]),
            (507, [.laterUnlessSentOnce, .never, .never]), (599, Array(repeating: .laterUnlessSentOnce, count: 3)),
            (499, [.laterIfAsked, .never, .never]), (102, [.interim, .interim, .interim]),
        ] as [(Int, [HTTPStatus.Meaning])])
    func `says whether the same request may succeed later`(code: Int, meanings: [HTTPStatus.Meaning]) {
        expectEqual([.download, .upload, .tus].map { HTTPStatus.meaning(code, of: $0) }, meanings)
    }

    @Test func `401 says whether a login is missing or wrong, and whose`() throws {
        let url = try TransferURL("https://h/f")
        var settings = TransferSettings()
        let needed = TransferFailure.status(401, of: url, settings)
        expectEqual(needed.message, "401 login needed: --user NAME")
        expect((needed.exitCode, needed.httpStatus, needed.loginOrigin) == (24, 401, "https://h"))
        settings.headers = ["Authorization: Bearer x"]
        expectEqual(TransferFailure.status(401, of: url, settings).message, "401 login refused")
        settings.user = "me"
        let refused = TransferFailure.status(401, of: url, settings)
        expectEqual(refused.message, "401 login refused for me")
        expect((refused.exitCode, refused.httpStatus, refused.loginOrigin) == (24, 401, "https://h"))
        let named = try TransferURL("https://you@h/f")
        expectEqual(TransferFailure.status(401, of: named, settings).message, "401 login refused for you")
        expectEqual(TransferFailure.status(404, of: url, settings), .httpStatus(404))
        expect(TransferFailure.status(401, of: url, settings, offers: "x").message.hasPrefix("401 login refused"))
        settings.headers = []
        let other = TransferFailure.status(401, of: url, settings, offers: "NTLM")
        expect(other.message.hasPrefix("401 login needed: the server offers only NTLM, which winch does not speak"))
        expect((other.exitCode, other.httpStatus, other.shortMessage) == (24, 401, "401 login needed"))
    }

    @Test func `401 does not record a user name that was typed`() throws {
        let url = try TransferURL("https://h/f")
        let typed = Shared(TransferSettings()).loggingIn("me", Secret("x"), at: url)
        expectEqual(
            TransferFailure.status(401, of: url, typed.value),
            .loginRefused(origin: "https://h", user: nil, details: nil))
    }

    @Test func `is not part of the words for an FTP server's login`() {
        expectEqual(TransferFailure.loginNeeded(origin: "ftp://h").message, "login needed: --user NAME")
        let refused = TransferFailure.loginRefused(origin: "ftp://h", user: "me", details: nil)
        expect((refused.message, refused.shortMessage) == ("login refused for me", "login refused"))
        expect((refused.exitCode, refused.httpStatus) == (24, nil))
    }
}
