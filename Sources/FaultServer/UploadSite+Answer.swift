/// Which requests are refused, and what the others do.
extension UploadSite {
    struct Decision {
        let options: UploadFaultOptions
        let outcome: Admission.Outcome
        let visit: Visit?
        var limitKey: String?
    }

    static func decide(
        _ request: ReceivedRequest, _ options: UploadFaultOptions, _ history: inout RequestHistory, _ now: Int64
    ) -> Decision {
        func refused(_ plan: ResponsePlan) -> Decision {
            Decision(options: options, outcome: .fixed(plan), visit: nil)
        }
        let shared = options.shared
        if let plan = ResponsePlan.refusal(request, shared, busy: history.busy(shared.limitKey), now: now) {
            return refused(plan)
        }
        guard request.method == "PUT" || request.method == "POST" else {
            return Decision(options: options, outcome: .carriedOut(nil), visit: nil)
        }
        if options.needsLength, request.declaredLength == nil {
            return refused(.failure(411, request, shared, now: now))
        }
        history.began(shared.limitKey)
        let visit = history.visit("\(request.method) \(shared.key)", isHead: false)
        let answer = shared.answers.last.map { last in
            visit.number <= shared.answers.count ? shared.answers[visit.number - 1] : last
        }
        let outcome: Admission.Outcome =
            switch answer {
            case .status(let code) where !(200...299).contains(code):
                .fixed(.failure(code, request, shared, now: now))
            case .close: .fixed(.silence(.close))
            case .reset: .fixed(.silence(.reset))
            case .status, nil: .carriedOut(answer)
            }
        return Decision(options: options, outcome: outcome, visit: visit, limitKey: shared.limitKey)
    }

    static func answer(_ admission: Admission, _ body: Body, _ state: inout State) -> ResponsePlan {
        guard case .carriedOut(let wanted) = admission.outcome else {
            if case .fixed(let plan) = admission.outcome { return plan }
            return .silence(.close)
        }
        return TusStore.contains(admission.path)
            ? answerTus(admission, body, &state.tus) : answer(admission, wanted, body, &state.tree)
    }

    private static func answer(
        _ admission: Admission, _ wanted: FaultOptions.Answer?, _ body: Body, _ tree: inout UploadTree
    ) -> ResponsePlan {
        let path = admission.path
        let options = admission.options
        switch admission.request.method {
        case "PUT", "POST":
            var code = 201
            if body.isWhole {
                if options.makesFolders { tree.makeFolders(above: path) }
                switch tree.put(body.bytes, at: path) {
                case .created: break
                case .replaced: code = 204
                case .noFolder, .exists: return failure(409, admission)
                }
            }
            if case .status(let status) = wanted { code = status }
            return success(code, admission)
        case "MKCOL":
            switch tree.makeFolder(path) {
            case .created: return success(201, admission)
            case .noFolder: return failure(409, admission)
            case .exists, .replaced: return failure(405, admission)
            }
        default: return failure(405, admission)
        }
    }

    private static func failure(_ status: Int, _ admission: Admission) -> ResponsePlan {
        .failure(status, admission.request, admission.options.shared, now: admission.now)
    }

    private static func success(_ status: Int, _ admission: Admission) -> ResponsePlan {
        let options = admission.options
        // A 204 has no body: a longer answer needs another status.
        let status = status == 204 && options.replyLength != nil ? 200 : status
        var head = ResponseFields(status: status, now: admission.now)
        head.add("Content-Type", "text/plain; charset=utf-8")
        if let location = options.location { head.add("Location", location) }
        options.shared.extraHeaders.forEach { head.add(line: $0) }
        guard let length = options.replyLength else {
            return .short(head, body: Array("\(status)\n".utf8), for: admission.request)
                .delayed(by: options.shared.latency)
        }
        head.add("Content-Length", String(length))
        var plan = ResponsePlan(status: status, ending: admission.request.isKeepAlive ? .keepAlive : .close)
        plan.steps = [.raw(head.bytes), .body(.seeded(SeededContent(name: "reply"), 0..<length))]
        return plan.delayed(by: options.shared.latency)
    }
}

/// The files and folders that clients have made, by absolute path without a slash at the end.
struct UploadTree: Sendable {
    private var folders: Set<String> = [root]
    private(set) var files: [String: [UInt8]] = [:]

    /// Where every upload lies.
    static let root = "/up"

    static func contains(_ path: String) -> Bool { path == root || path.hasPrefix(root + "/") }

    enum Outcome: Equatable, Sendable { case created, replaced, noFolder, exists }

    private func hasFolder(above path: String) -> Bool {
        path.lastIndex(of: "/").map { folders.contains(String(path[..<$0])) } ?? false
    }

    mutating func put(_ bytes: [UInt8], at path: String) -> Outcome {
        guard !path.hasSuffix("/"), !folders.contains(path) else { return .exists }
        guard hasFolder(above: path) else { return .noFolder }
        return files.updateValue(bytes, forKey: path) == nil ? .created : .replaced
    }

    mutating func makeFolder(_ path: String) -> Outcome {
        let path = path.hasSuffix("/") ? String(path.dropLast()) : path
        guard !folders.contains(path), files[path] == nil else { return .exists }
        guard hasFolder(above: path) else { return .noFolder }
        folders.insert(path)
        return .created
    }

    mutating func makeFolders(above path: String) {
        for index in path.indices.dropFirst() where path[index] == "/" { folders.insert(String(path[..<index])) }
    }
}
