package import Glibc

/// Signals as they are in a program that a shell starts in the foreground.
package enum OrdinarySignals {
    /// Undoes what the parent process has passed on, but for what a user means by it: signals that `nohup` and a background job
    /// ignore stay ignored. Must be called at the start of `main`.
    package static func restore() {
        // While it is ignored, the kernel forgets children that end, and `waitpid` finds none.
        signal(SIGCHLD, SIG_DFL)
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        // A reader that goes away is an error of the write, and not the end of the program without a word.
        signal(SIGPIPE, SIG_IGN)
    }

    /// For a program that is started: none is ignored or blocked, whatever this process has inherited or set.
    ///
    /// - Returns: the flags to set, with others.
    package static func give(to attributes: inout posix_spawnattr_t) -> Int16 {
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        return Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    }
}
