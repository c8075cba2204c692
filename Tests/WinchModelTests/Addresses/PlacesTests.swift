import TestSupport
import Testing

@testable import WinchModel

@Suite struct `A working folder` {
    @Test(arguments: [
        ("/home/me", ".", "/home/me", "."), ("/home/me", "sub", "/home/me/sub", "sub"),
        ("/home/me/", "./sub//deep/", "/home/me/sub/deep", "sub/deep"), ("/home/me", "/srv/x/", "/srv/x", "/srv/x"),
        ("/home/me", "/home/me", "/home/me", "."), ("/home/me", "/home/meadow", "/home/meadow", "/home/meadow"),
        ("/home/me", "", "/home/me", "."), ("/", ".", "/", "."), ("/", "x", "/x", "x"), ("/home/me", "/", "/", "/"),
        ("/home/me", "../x", "/home/me/../x", "../x"), ("/home/me", "sub/./x", "/home/me/sub/x", "sub/x"),
        ("/home/me", "/srv//x/./y/", "/srv/x/y", "/srv/x/y"),
        ("/home/me", "/home/me/sub//x", "/home/me/sub/x", "sub/x"),
        ("/", "/", "/", "."), ("/home//me/.", "sub", "/home/me/sub", "sub"),
        ("/home/me", "a/\u{301}b", "/home/me/a/\u{301}b", "a/\u{301}b"),
    ])
    func `makes paths absolute and relative again`(here: String, given: String, absolute: String, relative: String) {
        let folder = WorkingFolder(here)
        expectEqual(folder.absolute(given), absolute)
        expectEqual(folder.relative(absolute), relative)
        expectEqual(folder.absolute(relative), absolute)
    }
}
