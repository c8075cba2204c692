import FoundationEssentials
import Glibc
import WinchModel
import WinchSystem

// What clients ask for.
extension ConnectedClients {
    mutating func take(_ line: Data, from index: Int) {
        guard !line.isEmpty else { return }
        if peers[index].introductionDue != nil {
            guard let hello = try? JSONDecoder().decode(Introduction.self, untrusted: line) else {
                return peers[index].close("the first line is no introduction")
            }
            guard hello.hello == Greeting.version else {
                return peers[index].close(
                    "\(hello.client.prefix(80)) speaks version \(hello.hello) of the protocol, winch \(greeting.winch) version \(Greeting.version)"
                )
            }
            return peers[index].introductionDue = nil
        }
        guard !Self.hasNUL(line) else {
            return write(Self.refusal(of: line, "no text of a request may have a NUL"), to: index)
        }
        let request: SessionRequest
        do {
            request = try JSONDecoder().decode(SessionRequest.self, untrusted: line)
        } catch {
            return write(Self.refusal(of: line), to: index)
        }
        if let reply = answer(request, from: index) { write(reply, to: index) }
    }

    /// A text of a line of JSON has a NUL. The system takes that for the end of a path, so that a file would go elsewhere than is
    /// shown. Only its escaped form is JSON; unescaped ones are in UTF-16, which the decoder would read.
    private static func hasNUL(_ line: Data) -> Bool {
        line.withUnsafeBytes { bytes in
            if bytes.contains(0) { return true }
            var rest = bytes[...]
            while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
                rest = rest[(backslash + 1)...]
                if rest.starts(with: "u0000".utf8) { return true }
                // The escaped character may be a backslash.
                rest = rest.dropFirst()
            }
            return false
        }
    }

    /// - Parameter fault: what is wrong with the line; `nil`: it is no request that is known.
    private static func refusal(of line: Data, _ fault: String? = nil) -> SessionReply {
        struct Numbered: Decodable {
            var n: Int?
            var `do`: String?
        }
        let request = try? JSONDecoder().decode(Numbered.self, untrusted: line)
        let name = request?.do.map { "\"\($0.prefix(40))\"" }
        let isKnown = request?.do.flatMap(SessionRequest.Action.init) != nil
        let words =
            isKnown
            ? "\(name ?? "") lacks something, or has it in another form"
            : name.map { "\(SessionReply.unknownRequest) \($0)" }
                ?? "this is no request: an object with \"n\" and \"do\""
        return SessionReply(to: request?.n ?? 0, error: fault ?? words)
    }

    /// - Returns: `nil` when the reply follows later.
    private mutating func answer(_ request: SessionRequest, from index: Int) -> SessionReply? {
        let n = request.n
        peers[index].pace.expectAnswer()
        switch request.action {
        case .follow:
            follow(UnsentUpdates(visible: request.visible ?? [], takesAppended: request.appends ?? false), by: index)
            if let words = ports.unsaved() { peers[index].write(ServerLine(notice: words)) }
        case .status:
            guard peers[index].follower == nil else { return SessionReply(to: n, error: "status goes without follow") }
            peers[index].statusRequest = n
            follow(UnsentUpdates(isOnce: true), by: index)
            return nil
        case .unfollow: peers[index].follower = nil
        case .add: return add(request, from: index)
        case .limit, .limitUpload:
            guard request.rate.map({ $0 > 0 }) ?? true else {
                return SessionReply(to: n, error: "\"rate\" is more than 0; without it there is no limit")
            }
            let rate = request.rate.map { ByteRate(perSecond: $0) }
            ports.queue.send(request.action == .limit ? .setRateLimit(rate) : .setUploadLimit(rate))
        case .takeOver:
            let reply = lateReply(to: index)
            ports.takeOver { count, refused in
                let words = count == 1 ? "1 unfinished transfer" : "\(count) unfinished transfers"
                reply(SessionReply(to: n, words: count == 0 ? nil : words, refused: refused))
            }
            return nil
        case .command:
            guard let command = request.wholeCommand else { return SessionReply(to: n, error: "no command is given") }
            perform(command, from: index)
        case .stop:
            write(SessionReply(to: n), to: index)
            ports.queue.send(.quit)
            return nil
        case .pause, .resume, .retry, .cancel, .remove:
            choose(request, by: index)
            return nil
        }
        return SessionReply(to: n)
    }

    private mutating func perform(_ command: Command, from index: Int) {
        switch command {
        case .watch(let id, _):
            peers[index].follower?.watched = id
            ports.queue.send(.watch(id, by: peers[index].number))
        // A client that quits leaves the session alone, and its process may stop without the session's.
        case .quit, .resumed: break
        default: ports.queue.send(command)
        }
    }

    private mutating func add(_ request: SessionRequest, from index: Int) -> SessionReply? {
        let batch: SessionActions.Batch
        if let specs = request.specs {
            batch = SessionActions.Batch(specs, problems: [])
        } else if let text = request.batch, let folder = request.folder, folder.hasPrefix("/") {
            batch = ports.parseBatch(text, folder)
        } else {
            return SessionReply(to: request.n, error: "add needs \"batch\", and \"folder\" with an absolute path")
        }
        let reply = lateReply(to: index)
        ports.queue.add(batch.specs) { outcome in
            switch outcome {
            case .added(let count, let startedAnew, let refused):
                reply(SessionReply(to: request.n, adding: batch, count, startedAnew: startedAnew, refused: refused))
            case .refused(let words): reply(SessionReply(to: request.n, error: words))
            }
        }
        return nil
    }

    /// Tries transfers again, and says of how many that is true.
    ///
    /// - Parameters:
    ///   - chosen: what the queue is given.
    ///   - count: how many of them the command fits.
    mutating func retry(_ chosen: [TransferID], _ count: Int, for request: SessionRequest, by index: Int) {
        let reply = lateReply(to: index)
        let isNamed = request.which == nil
        ports.retry(chosen) { refused in
            let left = max(0, count - refused.count)
            guard left > 0 || refused.isEmpty || !isNamed else {
                return reply(SessionReply(to: request.n, error: refused.joined(separator: ", and ")))
            }
            reply(SessionReply(to: request.n, words: SessionReply.transfers(left), refused: refused))
        }
    }

    /// - Returns: takes the reply, once and on any thread.
    private mutating func lateReply(to index: Int) -> @Sendable (SessionReply) -> Void {
        let (late, number) = (late, peers[index].number)
        peers[index].repliesToCome += 1
        return { late.put((number, $0)) }
    }
}

extension SessionReply {
    /// 100: a reply is for people, and a long one would fill the connection.
    private static let mostProblems = 100

    /// - Parameters:
    ///   - added: how many of the entries are new in the list.
    ///   - startedAnew: how many were in the list, and had settled.
    ///   - refused: why the queue has not taken others.
    init(to n: Int, adding batch: SessionActions.Batch, _ added: Int, startedAnew: Int, refused: [String]) {
        let known = batch.specs.count - added - refused.count
        self.init(
            to: n, words: "\(added) added" + AdditionReply.words(ofKnown: known, startedAnew: startedAnew),
            refused: batch.problems + refused)
        (self.added, self.startedAnew) = (added, startedAnew)
    }

    /// - Parameter refused: why some of what was asked for is not done.
    init(to n: Int, words: String?, refused: [String]) {
        var problems = Array(refused.prefix(Self.mostProblems))
        let more = refused.count - problems.count
        if more > 0 { problems.append("and \(more) more") }
        self.init(to: n, words: words, problems: problems.isEmpty ? nil : problems)
    }

    static func transfers(_ count: Int) -> String { count == 1 ? "1 transfer" : "\(count) transfers" }
}

extension SessionRequest {
    /// Finds the transfers that the request is for.
    ///
    /// - Returns: in the queue's order.
    /// - Throws: when there is no such transfer, or a part of a name is in several.
    func chosen(in copy: QueueCopy) throws(SessionFailure) -> [TransferID] {
        var chosen: TransferSet = []
        for id in ids ?? [] {
            guard copy.row(id) != nil else { throw .refused("there is no transfer \(id.number)") }
            chosen.insert(id)
        }
        guard names?.count ?? 0 <= Self.mostNames else {
            throw .refused("a request has at most \(Self.mostNames) names")
        }
        for part in names ?? [] { chosen.insert(try id(named: part, in: copy)) }
        if let which {
            copy.visit { row, _ in
                if Self.isChosen(row, which) { chosen.insert(row.id) }
            }
        }
        guard ids != nil || names != nil || which != nil else {
            throw .refused("name transfers by \"ids\", \"names\" or \"which\"")
        }
        return copy.order.filter { chosen.contains($0) }
    }

    private static func isChosen(_ row: TransferSnapshot, _ which: Selection) -> Bool {
        switch (which, row.phase) {
        case (.all, _), (.failed, .failed), (.waiting, .waiting), (.waiting, .backoff): true
        default: false
        }
    }

    private func id(named part: String, in copy: QueueCopy) throws(SessionFailure) -> TransferID {
        var found: [(id: TransferID, name: String)] = []
        copy.visit { row, _ in
            if row.name.utf8.elementsEqual(part.utf8) || found.count < Self.mostNamed && Self.contains(row.name, part) {
                found.append((row.id, row.name))
            }
        }
        let exact = found.filter { $0.name.utf8.elementsEqual(part.utf8) }
        if exact.count == 1 { return exact[0].id }
        guard let first = found.first else { throw .refused("no transfer has \"\(part)\" in its name") }
        guard found.count == 1 else {
            let names = found.prefix(3).map { "\($0.id.number) \($0.name)" }.joined(separator: ", ")
            throw .refused("\"\(part)\" is in several names: \(names)\(found.count > 3 ? " and more" : "")")
        }
        return first.id
    }

    /// 1000: each is looked for in all names, and other clients wait meanwhile.
    private static let mostNames = 1000
    /// Found names beyond these are not counted.
    private static let mostNamed = 4

    private static func contains(_ name: String, _ part: String) -> Bool {
        !part.isEmpty && !part.utf8.contains(0) && strstr(name, part) != nil
    }
}
