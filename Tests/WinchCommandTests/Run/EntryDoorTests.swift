import ArgumentParser
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing
import WinchBatch
import WinchLedger
import WinchScreen
import WinchSession
import WinchTerminal

@testable import WinchModel
@testable import WinchQueue
@testable import winch

/// Where entries come from.
enum EntryDoor: String, CaseIterable, Sendable {
    /// `winch -i LIST` and `winch serve -i LIST`.
    case list, servedList
    /// `winch add -i LIST`.
    case addCommand
    /// The key `a`: pasted lines, and `@LIST`; in the dashboard of a run and of a session.
    case lines, file, attachedLines
    /// Lines that a client of a session sends.
    case clientLines

    var isSession: Bool {
        switch self {
        case .list, .lines, .file: false
        case .servedList, .addCommand, .attachedLines, .clientLines: true
        }
    }

    /// It belongs to the start of a run.
    var isList: Bool { self == .list || self == .servedList }
}

/// How many calls of `add` have been answered.
private final class Answers: Sendable {
    private let state = Mutex(0)

    var count: Int { state.withLock { $0 } }
    func note() { state.withLock { $0 += 1 } }
}

/// A run without a transport, in a folder with the ledger of an earlier one: what its doors send to the queue is applied at once.
private final class EntryStage {
    let folder: TemporaryFolder
    private let home: WorkingFolder
    private let places: Places
    private let inbox = Inbox()
    private let entries: RunEntries
    private let gate: StartupCommandQueue
    private var queue: TransferQueue
    private let answers = Answers()
    private var sent = 0
    private(set) var problems: [String] = []

    init(isSession: Bool) async throws {
        let folder = try TemporaryFolder()
        let home = WorkingFolder(folder.path)
        (self.folder, self.home) = (folder, home)
        places = Places(homes: .system, workingFolder: home)
        let sum = String(repeating: "ab", count: 32)
        folder.write("SHA256SUMS", Array("\(sum)  sum.bin\n".utf8))
        for name in ["done.bin", "source"] { folder.write(name, [1, 2, 3]) }
        try await Self.keepLedger(in: folder)
        let sums = try ChecksumListFiles([folder.path + "/SHA256SUMS"], settings: TransferSettings())
        entries = RunEntries(sums, folder: isSession ? home : nil)
        gate = StartupCommandQueue(LocalQueue(inbox: inbox), entries)
        var settings = QueueSettings()
        settings.isHeld = true
        queue = TransferQueue(settings: settings)
        let sources = try SettingSources(
            arguments: ["--no-config", "--state-dir", folder.path + "/state"], environment: [:])
        entries.open(EarlierRuns(sources), with: [])
    }

    private static func keepLedger(in folder: TemporaryFolder) async throws {
        let now = UnixTime(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1000) + 60_000)
        let (ledger, opening) = try Ledger.open(stateFolder: folder.path + "/state", now: now)
        let saved = LedgerState.finished(.saved(path: "done.bin"))
        let left: [(name: String, standing: LedgerState, have: Int64)] = [
            ("done.bin", saved, 3), ("gone.bin", .finished(.saved(path: "gone.bin")), 3), ("half.bin", .unfinished, 2),
            ("failed.bin", .failed(.httpStatus(404)), 0),
        ]
        let changes = try left.enumerated().map { index, left in
            let url = try TransferURL("http://h.example/\(left.name)")
            let part = ResumePoint.sample(left.have, of: 3)
            let validator: Validator? = left.name == "done.bin" ? .strongETag("\"v\"") : nil
            return LedgerChange.put(
                LedgerEntry(
                    key: LedgerKey(opening.firstKey.number + Int64(index)), rank: index,
                    spec: TransferSpec(urls: [url], folder: folder.path), standing: left.standing, name: left.name,
                    resume: left.standing == .unfinished ? part : nil, size: .exact(ByteCount(bytes: 3)), attempts: 1,
                    addedAt: now, startedAt: now, settledAt: left.standing == .unfinished ? nil : now,
                    validator: validator))
        }
        ledger.record(changes)
        await ledger.close()
    }

    /// Takes a list in.
    ///
    /// - Returns: how many transfers are new in the queue.
    func take(_ text: String, by door: EntryDoor) async throws -> Int {
        let parser = BatchParser(folder: folder.path, settings: TransferSettings(), places: places)
        let before = queue.order.count
        if !door.isList { start() }
        switch door {
        case .list, .servedList:
            inbox.add(entries.additions(for: listed(text)))
            start()
        case .addCommand:
            try send(listed(text))
        case .lines, .attachedLines, .file:
            let typed = RecordingQueue()
            let mailbox = try LoopMailbox()
            let adder = BatchAdder(parser: parser, places: places, queue: typed, mailbox: mailbox)
            folder.write("list", Array(text.utf8))
            var event = adder.take(door == .file ? "@\(folder.path)/list" : text)
            for _ in 0..<2000 where event == nil {
                try await Task.sleep(for: .milliseconds(5))
                event = mailbox.takeEvents().first
            }
            guard case .added(_, let found)? = event else { throw Missing() }
            problems += found
            if door == .attachedLines { try send(typed.added) } else { add(typed.added) }
        case .clientLines:
            let batch = SessionActions.Batch(
                text, in: folder.path, settings: TransferSettings(), uploads: UploadFields())
            problems += batch.problems
            add(batch.specs)
        }
        try await settle()
        return queue.order.count - before
    }

    /// As a Metalink or a folder names them.
    func find(_ text: String) async -> [Addition] {
        let (specs, entries) = (listed(text), entries)
        return await withCheckedContinuation { continuation in
            entries.admitFound(specs) { continuation.resume(returning: $0.additions) }
        }
    }

    /// As a folder in the working folder names one file, which has so many bytes and the time of the one that is here.
    ///
    /// - Parameter size: `nil`: the listing has names only.
    func findListed(_ name: String, size: Int64?) async throws -> Admitted {
        var status = stat()
        guard stat(folder.path + "/" + name, &status) == 0 else { throw Missing() }
        var spec = TransferSpec(urls: [try TransferURL("http://h.example/" + name)], folder: folder.path)
        spec.namedParts = 1
        if let size {
            spec.listedVersion = ListedVersion(
                size: ListedSize(bytes: size),
                time: ListedTime(seconds: Int64(status.st_mtim.tv_sec), precision: .second, isZoned: true))
        }
        let (specs, entries) = ([spec], entries)
        return await withCheckedContinuation { continuation in
            entries.admitFound(specs) { continuation.resume(returning: $0) }
        }
    }

    private struct Missing: Error {}

    private func listed(_ text: String) -> [TransferSpec] {
        var batches = BatchFiles(folder: folder.path, settings: TransferSettings(), places: places)
        batches.add(Array(text.utf8), of: "list")
        batches.read()
        problems += batches.problems
        return batches.takeSpecs()
    }

    /// As through the socket of a session.
    private func send(_ specs: [TransferSpec]) throws {
        for request in try SessionRequest.adding(specs, from: home) {
            let received = try JSONDecoder().decode(SessionRequest.self, from: JSONEncoder().encode(request))
            add(received.specs ?? [])
        }
    }

    private func add(_ specs: [TransferSpec]) {
        sent += 1
        gate.add(specs) { [answers] _ in answers.note() }
    }

    private func start() {
        entries.endList()
        gate.open()
    }

    /// Applies what is on its way to the queue.
    private func settle() async throws {
        for _ in 0..<2000 {
            let items = inbox.take()
            for item in items {
                switch item {
                case .event(let event, let reply):
                    _ = queue.apply(event, at: Moment(seconds: 1))
                    reply?(0, 0, [])
                case .call(let body), .callWhenStored(let body): body()
                }
            }
            if answers.count == sent { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw Missing()
    }

    /// `URL folder name`, and what is known of it, one for each row.
    var rows: [String] {
        queue.order.compactMap { queue[$0] }.map { row -> String in
            let spec = row.spec
            var words = [spec.urls[0].normal, home.absolute(spec.folder), spec.name?.text ?? "-"]
            if row.isSettled { words.append("there") }
            if !row.isSettled, row.have > .zero { words.append("part") }
            if spec.listedChecksum != nil { words.append("listed") }
            if spec.startsPaused { words.append("paused") }
            if spec.urls.count > 1 { words.append("\(spec.urls.count) mirrors") }
            if let size = spec.listedSize { words.append("\(size.bytes) bytes") }
            if let file = spec.upload?.file { words.append("from \(home.absolute(file))") }
            return words.joined(separator: " ").replacing(folder.path, with: "~")
        }
    }

    /// Of the last row, as the queue has it.
    var lastFolder: String? { queue.order.last.flatMap { queue[$0]?.spec.folder } }

    /// `line: message`; how a door names its list and the severity is left out.
    var plainProblems: [String] {
        problems.map { problem -> String in
            var parts = problem.replacing(folder.path, with: "~").split(separator: ": ").map(String.init)
            let line = parts.removeFirst().filter(\.isNumber)
            if parts.first == "error" || parts.first == "warning" { parts.removeFirst() }
            return ([line] + parts).joined(separator: ": ")
        }
    }
}

/// A list is the same list by whatever door it comes.
@Suite(.timeLimit(.minutes(5))) struct `An entry` {
    private static func list(in folder: String) -> String {
        """
        http://h.example/new.bin
        HTTP://H.example:80/./new.bin
        http://h.example/x/../new.bin
        http://h.example/done.bin
        http://h.example/gone.bin
        http://h.example/half.bin
        http://h.example/failed.bin
        http://h.example/sum.bin
        http://h.example/named
          out=sub/other
        http://h.example/named
        http://h.example/deep
          dir=\(folder)/deep
        http://h.example/paused
          pause=true
        http://h.example/two\thttp://m.example/two
        http://h.example/bad
          out=../bad
        nonsense
        http://h.example/odd
          frobnicate=1
        http://h.example/up/
          upload=\(folder)/source
        http://h.example/up/
          upload=\(folder)/source
        http://h.example/up/source
          upload=\(folder)/other

        """
    }

    private static let rows = [
        "http://h.example/new.bin ~ -", "http://h.example/done.bin ~ - there", "http://h.example/gone.bin ~ -",
        "http://h.example/half.bin ~ - part", "http://h.example/failed.bin ~ -", "http://h.example/sum.bin ~ - listed",
        "http://h.example/named ~ sub/other", "http://h.example/named ~ -", "http://h.example/deep ~/deep -",
        "http://h.example/paused ~ - paused", "http://h.example/two ~ - 2 mirrors", "http://h.example/odd ~ -",
    ]

    @Test(arguments: EntryDoor.allCases)
    func `is the same transfer by each door, with what earlier runs and lists know of it`(door: EntryDoor) async throws
    {
        let stage = try await EntryStage(isSession: door.isSession)
        let added = try await stage.take(Self.list(in: stage.folder.path), by: door)
        expectEqual(added, Self.rows.count + 1)
        expectEqual(Array(stage.rows.dropLast()), Self.rows)
        let upload = try require(stage.rows.last)
        expect(upload.hasPrefix("http://h.example/up/source ") && upload.hasSuffix(" 3 bytes from ~/source"))
        // Not the working folder, which need not be that of the file.
        expectEqual(stage.lastFolder, ".")
        let problems = stage.plainProblems
        expectEqual(problems.map { $0.prefix { $0 != ":" } }, ["18", "19", "21", "26"])
        let reference = try await EntryStage(isSession: false)
        _ = try await reference.take(Self.list(in: reference.folder.path), by: .list)
        expectEqual(problems, reference.plainProblems)
    }

    @Test func `that a Metalink names has what earlier runs and lists know of it`() async throws {
        let stage = try await EntryStage(isSession: false)
        let found = await stage.find("http://h.example/half.bin\nhttp://h.example/sum.bin\n")
        expectEqual(found.map { $0.resume?.have.bytes }, [2, nil])
        expectEqual(found.map { $0.spec.listedChecksum != nil }, [false, true])
    }

    @Test func `of a folder is left out if it is here, and replaces the version of an earlier run`() async throws {
        let stage = try await EntryStage(isSession: false)
        let same = try await stage.findListed("done.bin", size: 3)
        expect(same.additions.isEmpty && same.unchanged == 1 && same.unchangedBytes == 3)
        let changed = try await stage.findListed("done.bin", size: 4)
        expectEqual(changed.additions.map(\.spec.settings.value.onConflict), [.overwrite])
        expectNil(changed.additions.first?.past)
        // No run has downloaded it.
        let foreign = try await stage.findListed("source", size: 4)
        expectEqual(foreign.additions.map(\.spec.settings.value.onConflict), [.rename])
        expectEqual(foreign.unchanged, 0)
    }

    @Test func `of a folder that is left out leaves no part of an earlier attempt`() async throws {
        let stage = try await EntryStage(isSession: false)
        let part = stage.folder.path + "/done.bin.part"
        stage.folder.write("done.bin.part", [1])
        stage.folder.set("user.winch.url", to: "http://h.example/done.bin", of: "done.bin.part")
        try await expectEqual(stage.findListed("done.bin", size: 4).unchanged, 0)
        expectEqual(access(part, F_OK), 0)
        try await expectEqual(stage.findListed("done.bin", size: 3).unchanged, 1)
        expectEqual(access(part, F_OK), -1)
    }

    @Test func `of a folder whose listing has names only is asked for by the version of an earlier run`() async throws {
        let stage = try await EntryStage(isSession: false)
        let found = try await stage.findListed("done.bin", size: nil)
        expectEqual(found.additions.map(\.spec.finishedFile?.validator), [.strongETag("\"v\"")])
        expectEqual(found.additions.map(\.spec.settings.value.onConflict), [.overwrite])
        expectEqual(found.unchanged, 0)
    }

    @Test(arguments: EntryDoor.allCases.filter { !$0.isList })
    func `is in the list once, by whatever door it comes again`(door: EntryDoor) async throws {
        let stage = try await EntryStage(isSession: door.isSession)
        let list = Self.list(in: stage.folder.path)
        _ = try await stage.take(list, by: door.isSession ? .servedList : .list)
        let rows = stage.rows.map { $0.replacing(" there", with: "") }
        try await expectEqual(stage.take(list, by: door), 0)
        expectEqual(stage.rows.map { $0.replacing(" there", with: "") }, rows)
    }
}
