import Foundation
import Glibc
import TestSupport

extension TestFolder {
    /// Makes a FIFO, and writes to it on a thread of its own once another process has opened it for reading.
    func feed(_ content: Data, to name: String) {
        let path = path(name)
        mkfifo(path, 0o600)
        Thread {
            Glibc.signal(SIGPIPE, SIG_IGN)
            guard let output = FileHandle(forWritingAtPath: path) else { return }
            try? output.write(contentsOf: content)
            try? output.close()
        }.start()
    }
}
