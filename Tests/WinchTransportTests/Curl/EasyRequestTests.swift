import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `A request` {
    /// 1: a change into each folder; 2: the path in the command; 3: one change into all.
    @Test(
        arguments: [
            ("ftp://h/pub/a", 1), ("ftp://h/~/a", 1), ("ftp://h/pub/~", 2), ("ftps://h/pub/~bob/a", 2),
            ("ftp://h/pub/%7E/", 3), ("sftp://h/pub/~", 1), ("http://h/pub/~", 1),
        ])
    func `of FTP does not begin a path with a name that means a home folder`(url: String, paths: Int) throws {
        var request = EasyRequest(url: try TransferURL(url), settings: Shared(TransferSettings()))
        expectEqual(request.ftpPaths, paths)
        request.upload = EasyUpload()
        expectEqual(request.ftpPaths, 1, "libcurl makes no folders otherwise")
        request.upload?.method = "MLSD"
        expectEqual(request.ftpPaths, paths, "a listing")
    }
}
