import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `The received bytes of a file` {
    private let folder: TemporaryFolder
    private let files: FileServices
    private let target: TargetFolder
    private let start = Moment(seconds: 100)

    init() throws {
        folder = try TemporaryFolder()
        files = try FileServices()
        target = try TargetFolder.open(folder.path, parts: [])
    }

    private func store() -> BodyStore { BodyStore(finisher: files.finisher, at: start) }

    private func append(_ count: Int, to store: BodyStore, end: Int64? = nil) throws {
        let bytes = [UInt8](repeating: 7, count: count)
        var failure: TransferFailure?
        bytes.withUnsafeBytes { bytes in
            do throws(TransferFailure) { try store.append(bytes, end: end) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    @Test func `stay in memory while they are few, and use the budget until they are dropped`() throws {
        let budget = files.finisher.budget
        let store = store()
        expect(store.useMemory(for: 10_000))
        expect(store.isInMemory && store.isOpen)
        try append(4000, to: store)
        try append(2000, to: store)
        expectEqual(store.position, 6000)
        expectNil(store.part)
        // Six megabytes are held at most.
        expect(!budget.take((6 << 20) - 9999))
        expectEqual(store.memory?.count, 6000)
        store.dropMemory()
        expect(!store.isOpen)
        expect(budget.take(6 << 20))
        expect(!self.store().useMemory(for: 1))
        budget.give(6 << 20)
        expect(!self.store().useMemory(for: ContentBudget.largestBody + 1))
        do {
            let other = self.store()
            expect(other.useMemory(for: 5000))
        }
        expect(budget.take(6 << 20), "a store that is released gives its budget back")
    }

    @Test func `are buffered for the part and on disk after a flush`() throws {
        let store = store()
        let part = try PartFile.create(for: "f", in: target)
        store.use(part)
        try append(1000, to: store)
        expect((store.position, part.written) == (1000, 0))
        try store.flush()
        expect((store.position, part.written) == (1000, 1000))
        try store.cut(to: 400)
        expect((store.position, part.written, part.length) == (400, 400, 400))
        try append(200, to: store, end: 600)
        expectEqual(part.written, 600)
        guard case .part("f.part", nil, _) = store.takeComplete(size: 600) else {
            Issue.record("no part")
            return
        }
        expectEqual(folder.size("f.part"), 600)
    }

    @Test func `are due for a sync every ten seconds if there are new ones`() throws {
        let request = try ConnectionRequest("http://h/f", in: folder.path)
        let store = store()
        store.use(try PartFile.create(for: "f", in: target))
        func due(_ second: Double) -> Checkpoint? {
            store.dueCheckpoint(of: request, for: NoClient(), at: start + .seconds(second))
        }
        expectNil(due(10))
        try append(1 << 20, to: store)
        expectNil(due(9))
        let checkpoint = try require(due(11))
        expectEqual(checkpoint.ranges, ByteRanges(0..<1 << 20))
        expectNil(due(30))
        expect(store.durable.isEmpty)
        checkpoint.write()
        expectEqual(store.ended(checkpoint), ByteRanges(0..<1 << 20))
        expectEqual(store.durable, ByteRanges(0..<1 << 20))
        expectNil(due(40))
        // Bytes that are truncated meanwhile are not durable.
        try append(1 << 20, to: store)
        let late = try require(due(50))
        try store.cut(to: 5)
        late.write()
        expectNil(store.ended(late))
        expectEqual(store.durable, ByteRanges(0..<5))
        // The part gives way to another one during a sync.
        try append(1 << 20, to: store)
        let last = try require(due(60))
        store.release()
        store.use(try PartFile.create(for: "f", in: target))
        try append(1 << 20, to: store)
        last.write()
        expectNil(store.ended(last))
        expect(due(70) != nil)
    }

    /// The rest is in the system's memory at most, and no later sync says so.
    @Test func `are those that were synced before, once a sync has failed`() throws {
        let store = store()
        let part = try PartFile.create(for: "f", in: target)
        store.use(part)
        try append(1000, to: store, end: 1000)
        part.durable.synced(ByteRanges(0..<1000), age: part.durable.age)
        try append(500, to: store, end: 1500)
        part.file.failSync()
        expectEqual(part.file.syncBytes(), EBADF)
        let failure = TransferFailure.readWrite(folder.path + "/f.part", reason: ErrnoFailure.words(EBADF))
        #expect(throws: failure) { try append(10, to: store, end: 1510) }
        guard case .part("f.part", .some, _) = store.takeComplete(size: 1500) else {
            Issue.record("the descriptor that knows of it is closed")
            return
        }
        try part.dropUnsynced()
        expectEqual(part.held, ByteRanges(0..<1000))
        expectEqual(folder.size("f.part"), 1000)
    }

    @Test(arguments: [(false, "removed"), (true, "moved or replaced")])
    func `are lost with the name of the part, which is checked once a second`(isMoved: Bool, words: String) throws {
        let store = store()
        store.use(try PartFile.create(for: "f", in: target))
        expectNil(store.checkNames(at: start))
        let path = folder.path + "/f.part"
        if isMoved {
            rename(path, folder.path + "/mine")
            folder.write("f.part", [1])
        } else {
            unlink(path)
        }
        expectNil(store.checkNames(at: start + .seconds(0.9)))
        let failure = TransferFailure.readWrite(path, reason: "\(words) during the download")
        expectEqual(store.checkNames(at: start + .seconds(1)), failure)
        expectNil(store.part)
        expect(!store.isOpen)
    }

    @Test func `behind a gap are noted on the part once a second, and when it is released`() throws {
        let store = store()
        let part = try PartFile.create(for: "f", in: target)
        store.use(part)
        expectNil(store.checkNames(at: start))
        var position: Int64 = 1000
        let bytes = [UInt8](repeating: 1, count: 10)
        let noted = {
            folder.attribute("user.winch.durable", of: "f.part")?
                .split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        }
        let write = { (position: inout Int64) in
            try bytes.withUnsafeBytes { (bytes) throws in try part.write(bytes, at: &position) }
            try store.flush()
        }
        try write(&position)
        guard folder.attribute("user.winch.durable", of: "f.part") != nil else { return }
        expectEqual(noted(), "")
        expectNil(store.checkNames(at: start + .seconds(0.9)))
        expectEqual(noted(), "")
        expectNil(store.checkNames(at: start + .seconds(1)))
        expectEqual(noted(), "1000-1010")
        try write(&position)
        expectEqual(noted(), "1000-1010")
        store.release()
        expectEqual(noted(), "1000-1020")
    }

    @Test func `are removed with their part, and without the file that another program has put in its place`() throws {
        let own = self.store()
        own.use(try PartFile.create(for: "f", in: target))
        expect(own.remove() != nil)
        expectEqual(folder.names, [])
        expectNil(own.remove())
        let replaced = self.store()
        replaced.use(try PartFile.create(for: "f", in: target))
        folder.write("other", [9])
        rename(folder.path + "/other", folder.path + "/f.part")
        expect(replaced.remove() != nil)
        expectEqual(folder.names, ["f.part"])
        try expectEqual(folder.bytes("f.part"), [9])
    }
}
