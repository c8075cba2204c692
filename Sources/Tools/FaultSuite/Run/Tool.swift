import Foundation

/// A program that fetches files.
package enum Tool: Sendable, Hashable {
    /// - Parameter path: of the built program.
    case winch(path: String)
    case aria2c, curl, wget2

    package var name: String {
        switch self {
        case .winch: "winch"
        case .aria2c: "aria2c"
        case .curl: "curl"
        case .wget2: "wget2"
        }
    }

    package static let others: [Tool] = [.aria2c, .curl, .wget2]

    package var isInstalled: Bool {
        switch self {
        case .winch(let path): access(path, X_OK) == 0
        case .aria2c, .curl, .wget2: access("/usr/bin/" + name, X_OK) == 0
        }
    }

    /// A command line.
    struct Words {
        var program: String
        var arguments: [String]
    }

    /// What a case asks for.
    struct ToolJob {
        var urls: [String]
        var toolOptions: [ToolOption]
        /// Path of a batch file.
        var batch: String?
        /// The case has several runs; the later ones resume.
        var isResumed: Bool
        /// The case is about the name that the server gives.
        var isAboutNames: Bool
    }

    /// - Returns: `nil` when the tool has no option for what the case asks.
    func words(for toolJob: ToolJob) -> Words? {
        switch self {
        case .winch(let path): Words(program: path, arguments: Self.winch(toolJob))
        case .aria2c: Self.aria2c(toolJob).map { Words(program: "aria2c", arguments: $0) }
        case .curl: Self.curl(toolJob).map { Words(program: "curl", arguments: $0) }
        case .wget2: Self.wget2(toolJob).map { Words(program: "wget2", arguments: $0) }
        }
    }

    private static func winch(_ toolJob: ToolJob) -> [String] {
        var words = ["--output", "plain", "-d", "got", "--retry-wait", "0.05"]
        var (tries, timeout) = ("3", "4")
        for toolOption in toolJob.toolOptions {
            switch toolOption {
            case .out(let name): words += ["-o", name]
            case .login(let user, let password): words += ["--user", user, "--password", password]
            case .header(let line): words += ["--header", line]
            case .checksum(let type, let hex): words += ["--checksum", "\(type)=\(hex)"]
            case .maxRedirects(let count): words += ["--max-redirs", "\(count)"]
            case .tries(let count): tries = "\(count)"
            case .timeout(let seconds): timeout = "\(seconds)"
            case .maxTime(let seconds): words += ["--max-time", "\(seconds)"]
            case .netrc: words.append("--netrc")
            case .cookies(let file): words += ["--cookies", file]
            case .trust(let file): words += ["--cacert", file]
            case .jobs(let count): words += ["-j", "\(count)", "--per-host", "\(count)"]
            case .resumes: break
            case .own(let own): words += own
            }
        }
        words += ["--max-tries", tries, "--timeout", timeout]
        if let batch = toolJob.batch { words += ["-i", batch] }
        return words + toolJob.urls
    }

    private static func aria2c(_ toolJob: ToolJob) -> [String]? {
        var words = [
            "-q", "--no-conf", "-d", "got", "--file-allocation=none", "--allow-overwrite=false", "--retry-wait=1",
            "--content-disposition-default-utf8=true", "-Z",
        ]
        var (tries, timeout) = ("3", "4")
        if toolJob.isResumed { words.append("-c") }
        for toolOption in toolJob.toolOptions {
            switch toolOption {
            case .out(let name): words += ["-o", name]
            case .login(let user, let password): words += ["--http-user=\(user)", "--http-passwd=\(password)"]
            case .header(let line): words.append("--header=\(line)")
            case .checksum(let type, let hex): words.append("--checksum=\(type)=\(hex)")
            case .maxRedirects: return nil
            case .tries(let count): tries = "\(count)"
            case .timeout(let seconds): timeout = "\(max(1, Int(seconds)))"
            case .maxTime: return nil
            case .netrc: break
            case .cookies(let file): words.append("--load-cookies=\(file)")
            case .trust(let file): words.append("--ca-certificate=\(file)")
            case .jobs(let count): words += ["-j", "\(count)"]
            case .resumes: words.append("-c")
            case .own: return nil
            }
        }
        // -o and -Z exclude each other, and one URL needs neither.
        if toolJob.urls.count < 2 { words.removeAll { $0 == "-Z" } }
        words += ["-m", tries, "-t", timeout, "--lowest-speed-limit=0"]
        if let batch = toolJob.batch { words += ["-i", batch] }
        return words + toolJob.urls
    }

    private static func curl(_ toolJob: ToolJob) -> [String]? {
        guard toolJob.batch == nil else { return nil }
        var words = ["-q", "-fsSL", "--output-dir", "got", "--proto-redir", "=http,https"]
        var (tries, timeout, hasName) = (3, 4.0, false)
        var isResumed = toolJob.isResumed
        for toolOption in toolJob.toolOptions {
            switch toolOption {
            case .out(let name):
                words += ["-o", name]
                hasName = true
            case .login(let user, let password): words += ["--anyauth", "-u", "\(user):\(password)"]
            case .header(let line): words += ["-H", line]
            case .checksum: return nil
            case .maxRedirects(let count): words += ["--max-redirs", "\(count)"]
            case .tries(let count): tries = count
            case .timeout(let seconds): timeout = seconds
            case .maxTime(let seconds): words += ["-m", "\(seconds)"]
            case .netrc: words.append("-n")
            case .cookies(let file): words += ["-b", file]
            case .trust(let file): words += ["--cacert", file]
            case .jobs(let count): words += ["-Z", "--parallel-max", "\(count)"]
            case .resumes: isResumed = true
            case .own: return nil
            }
        }
        // What a careful user would choose: retry after any failure, and keep no broken file.
        words += ["--retry", "\(tries == 0 ? 100 : tries - 1)", "--retry-all-errors", "--retry-delay", "1"]
        words += ["-Y", "1024", "-y", "\(max(1, Int(timeout)))"]
        words += isResumed ? ["-C", "-"] : ["--remove-on-error"]
        if toolJob.isAboutNames, !isResumed { words.append("-J") }
        return words + toolJob.urls.flatMap { hasName ? [$0] : ["-O", $0] }
    }

    private static func wget2(_ toolJob: ToolJob) -> [String]? {
        guard toolJob.batch == nil else { return nil }
        var words = ["-q", "--no-config", "-P", "got", "--waitretry=1", "--no-robots", "--cut-file-get-vars", "-nd"]
        var (tries, timeout) = ("3", 4.0)
        if toolJob.isResumed { words.append("-c") }
        if toolJob.isAboutNames { words.append("--content-disposition") }
        for toolOption in toolJob.toolOptions {
            switch toolOption {
            // Relative to the working folder, whatever -P says.
            case .out(let name): words += ["-O", "got/" + name]
            case .login(let user, let password): words += ["--http-user=\(user)", "--http-password=\(password)"]
            case .header(let line): words.append("--header=\(line)")
            case .checksum: return nil
            case .maxRedirects(let count): words.append("--max-redirect=\(count)")
            case .tries(let count): tries = "\(count)"
            case .timeout(let seconds): timeout = seconds
            case .maxTime: return nil
            case .netrc: words.append("--netrc")
            case .cookies(let file): words.append("--load-cookies=\(file)")
            case .trust(let file): words.append("--ca-certificate=\(file)")
            case .jobs(let count): words.append("--max-threads=\(count)")
            case .resumes: words.append("-c")
            case .own: return nil
            }
        }
        return words + ["--tries=\(tries)", "--timeout=\(max(1, Int(timeout)))"] + toolJob.urls
    }
}
