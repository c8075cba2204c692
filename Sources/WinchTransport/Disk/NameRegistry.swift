import Synchronization
import WinchModel

/// Which transfer of this run gets which name, so that no two of them meet on disk. Used by the loop when a transfer
/// starts and by the finisher when a foreign file turns out to have the name.
///
/// A transfer holds its name while it is on a connection or being finished. Afterwards the name stays with its address
/// as long as something of it is on disk: the same address gets it again, and so finds the file or the part; another one
/// gets the next number.
final class NameRegistry: Sendable {
    /// A transfer's part or file under the name, when its connection has ended.
    enum Rest { case part, file }

    private let names = Mutex(NamesInUse())

    /// The wished name, or `name.1.ext` and so on when another transfer has it. A transfer that wishes the same again
    /// keeps what it has; one that wishes another name gives the first back.
    ///
    /// - Parameters:
    ///   - address: where the file comes from, without a login.
    ///   - replaces: a foreign file of that name is to be replaced, or makes the transfer end.
    func reserve(
        _ id: TransferID, _ preferred: String, of address: String, in folder: TargetFolder, replaces: Bool = false
    ) -> String {
        names.withLock {
            $0.reserve(
                id, preferred, of: address, in: folder.identity, replaces: replaces,
                ignoresCase: { folder.ignoresCase })
        }
    }

    /// The next number: a foreign file has the name this transfer holds.
    func next(_ id: TransferID, of address: String, in folder: TargetFolder, after name: String) -> String {
        names.withLock {
            $0.next(id, of: address, in: folder.identity, after: name, ignoresCase: { folder.ignoresCase })
        }
    }

    /// Gives the name back: nothing is on disk under it.
    func release(_ id: TransferID) { names.withLock { $0.release(id) } }

    /// The transfer's connection has ended.
    ///
    /// - Parameter rest: what of it is on disk; `nil`: nothing, and the name is given back.
    func settle(_ id: TransferID, with rest: Rest?) {
        names.withLock { if let rest { $0.settle(id, with: rest) } else { $0.release(id) } }
    }
}

/// The names that a run has given to files, by folder.
struct NamesInUse {
    private struct Path: Hashable {
        // Not the folder itself: that would keep thousands of folders open.
        var folder: TargetFolder.Identity
        /// Two names are the same if their bytes are, as on a disk. Strings are equal also where one of them has an accent as a
        /// character of its own.
        var name: [UInt8]

        init(_ folder: TargetFolder.Identity, _ text: String) { (self.folder, name) = (folder, Array(text.utf8)) }

        var text: String { String(decoding: name, as: UTF8.self) }
        var likeness: Likeness { Likeness(folder: folder, name: text.lowercased()) }

        func numbered(_ number: Int) -> Path { Path(folder, TargetName.numbered(text, number)) }
    }

    /// What is left of a name where a folder regards neither case nor the form of accents.
    private struct Likeness: Hashable {
        var folder: TargetFolder.Identity
        var name: String
    }

    private struct PreferredName: Hashable {
        var base: Path
        var address: String
    }

    private struct Holding {
        var preferred: PreferredName
        var number: Int
        var path: Path { preferred.base.numbered(number) }

        func isOf(_ wished: Path) -> Bool { preferred.base == wished || path == wished }
    }

    private struct Numbers {
        /// No number from here on was given.
        var next = 0
        /// Below it, and given back: no more than were held at a time.
        var free: Set<Int> = []
        var held = 0
        /// The name without a number was given to no address of this run: a foreign file has it.
        var isBaseForeign = false
    }

    private var holdings: [TransferID: Holding] = [:]
    /// Names that were given and not given back.
    private var given: [Likeness: Set<[UInt8]>] = [:]
    private var held: Set<Path> = []
    private var numbers: [Path: Numbers] = [:]
    /// The number that an address had before, where a file or a part of it is left.
    private var settled: [PreferredName: Int] = [:]
    /// Transfers without a connection that have a part.
    private var paused: [TransferID: Holding] = [:]

    /// Names that are remembered although no transfer holds them: enough for what a user adds once more, and 4 MB at most.
    /// Beyond it the files themselves say where they come from.
    static let mostSettled = 16_384

    /// Names that transfers hold, and those that are remembered.
    var counts: (held: Int, remembered: Int) { (holdings.count, max(settled.count, paused.count)) }

    /// - Parameter ignoresCase: looks whether the folder takes names that differ in case only for the same; asked only where
    ///   this run has given such names.
    mutating func reserve(
        _ id: TransferID, _ preferred: String, of address: String, in folder: TargetFolder.Identity,
        replaces: Bool = false, ignoresCase: () -> Bool = { false }
    ) -> String {
        let base = Path(folder, preferred)
        if let held = holdings[id], held.isOf(base) { return held.path.text }
        release(held: id)
        if let before = paused.removeValue(forKey: id), before.isOf(base),
            !isTaken(before.number, of: before.preferred.base, ignoresCase)
        {
            return hold(id, before)
        }
        if replaces, numbers[base]?.isBaseForeign ?? false, !isTaken(0, of: base, ignoresCase) {
            return hold(id, Holding(preferred: PreferredName(base: base, address: address), number: 0))
        }
        return hold(id, PreferredName(base: base, address: address), from: 0, ignoresCase)
    }

    mutating func next(
        _ id: TransferID, of address: String, in folder: TargetFolder.Identity, after name: String,
        ignoresCase: () -> Bool = { false }
    ) -> String {
        // The number is not given back: a file has it.
        guard let held = removeHolding(id) else {
            let preferred = PreferredName(base: Path(folder, name), address: address)
            return hold(id, preferred, from: 1, ignoresCase)
        }
        if held.number == 0 { numbers[held.preferred.base]?.isBaseForeign = true }
        return hold(id, held.preferred, from: held.number + 1, ignoresCase)
    }

    private mutating func hold(
        _ id: TransferID, _ preferred: PreferredName, from first: Int, _ ignoresCase: () -> Bool
    ) -> String {
        if first == 0, let before = settled[preferred], !isTaken(before, of: preferred.base, ignoresCase) {
            return hold(id, Holding(preferred: preferred, number: before))
        }
        let known = numbers[preferred.base] ?? Numbers()
        if !known.free.isEmpty,
            let free = known.free.sorted().first(where: {
                $0 >= first && !isTaken($0, of: preferred.base, ignoresCase)
            })
        {
            return hold(id, Holding(preferred: preferred, number: free))
        }
        var next = max(first, known.next)
        // A base name that ends in a number itself may have led to the same name.
        while isTaken(next, of: preferred.base, ignoresCase) { next += 1 }
        return hold(id, Holding(preferred: preferred, number: next))
    }

    private mutating func hold(_ id: TransferID, _ holding: Holding) -> String {
        let base = holding.preferred.base
        var known = numbers[base] ?? Numbers()
        known.free.remove(holding.number)
        known.next = max(known.next, holding.number + 1)
        known.held += 1
        numbers[base] = known
        let path = holding.path
        held.insert(path)
        given[path.likeness, default: []].insert(path.name)
        holdings[id] = holding
        return path.text
    }

    /// A transfer holds the name, or the file of another one would be replaced by it.
    private func isTaken(_ number: Int, of base: Path, _ ignoresCase: () -> Bool) -> Bool {
        let path = base.numbered(number)
        if held.contains(path) { return true }
        let alike = given[path.likeness] ?? []
        return alike.contains { $0 != path.name } && ignoresCase()
    }

    mutating func release(_ id: TransferID) {
        release(held: id)
        if let before = paused.removeValue(forKey: id) { free(before) }
    }

    private mutating func release(held id: TransferID) {
        if let held = removeHolding(id) { free(held) }
    }

    private mutating func free(_ holding: Holding) {
        let (base, path) = (holding.preferred.base, holding.path)
        // Another transfer of the same address may have it by now.
        guard !held.contains(path) else { return }
        given[path.likeness]?.remove(path.name)
        if given[path.likeness]?.isEmpty ?? false { given[path.likeness] = nil }
        if settled[holding.preferred] == holding.number { settled[holding.preferred] = nil }
        guard var known = numbers[base], holding.number < known.next else { return }
        known.free.insert(holding.number)
        while known.next > 0, known.free.remove(known.next - 1) != nil { known.next -= 1 }
        numbers[base] = known.next == 0 ? nil : known
    }

    mutating func settle(_ id: TransferID, with rest: NameRegistry.Rest) {
        guard let held = removeHolding(id) else { return }
        settled[held.preferred] = held.number
        if rest == .part { paused[id] = held }
        if max(settled.count, paused.count) > Self.mostSettled { forget() }
    }

    private mutating func removeHolding(_ id: TransferID) -> Holding? {
        guard let holding = holdings.removeValue(forKey: id) else { return nil }
        held.remove(holding.path)
        numbers[holding.preferred.base]?.held -= 1
        return holding
    }

    /// All that no transfer holds.
    private mutating func forget() {
        (settled, paused) = ([:], [:])
        numbers = numbers.filter { $0.value.held > 0 }
        given = [:]
        for holding in holdings.values {
            given[holding.path.likeness, default: []].insert(holding.path.name)
        }
    }
}
