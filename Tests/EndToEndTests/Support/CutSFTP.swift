import Foundation

/// An SFTP server whose session ends at a request to rename a file.
enum CutSFTP {
    /// The script of a subsystem for `SSHServer`: between the client and Debian's sftp-server it looks for requests.
    ///
    /// - Parameters:
    ///   - times: so many renamings end a session; later ones are served.
    ///   - isDone: the file is renamed before.
    ///   - folder: where it counts.
    static func script(times: Int, isDone: Bool, in folder: TestFolder) -> String {
        """
        exec /usr/bin/env python3 -c '
        import os, signal, subprocess, sys, threading, time
        count, times, done = "\(folder.path("renamings"))", \(times), \(isDone ? "True" : "False")
        server = subprocess.Popen(["/usr/lib/openssh/sftp-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        def replies():
            while True:
                data = server.stdout.read1(65536)
                if not data: os._exit(0)
                os.write(1, data)
        threading.Thread(target=replies, daemon=True).start()
        source = os.fdopen(0, "rb")
        while True:
            head = source.read(5)
            if len(head) < 5: break
            rest = source.read(int.from_bytes(head[:4], "big") - 1)
            if head[4] == 18 or head[4] == 200 and b"rename" in rest[:40]:
                with open(count, "a+") as file:
                    file.seek(0)
                    seen = len(file.read())
                    file.write("x")
                if seen < times:
                    os.kill(os.getppid(), signal.SIGSTOP)
                    if done:
                        server.stdin.write(head + rest)
                        server.stdin.flush()
                        time.sleep(0.3)
                    os.kill(os.getppid(), signal.SIGKILL)
                    os._exit(0)
            server.stdin.write(head + rest)
            server.stdin.flush()
        '
        """
    }
}
