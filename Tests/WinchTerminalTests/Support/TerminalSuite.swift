import Glibc
import Testing

/// All tests that use ncurses: there is one of it in a process, so they run one after another.
@Suite(.serialized) struct `The terminal` {
    /// Tests are not to depend on the locale of whoever runs them.
    static func useUTF8() {
        setenv("LC_ALL", "C.UTF-8", 1)
        setlocale(LC_CTYPE, "C.UTF-8")
    }
}
