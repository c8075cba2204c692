import WinchBatch
import WinchHTTP
import WinchModel

/// The body of a response that is a Metalink. It is kept in memory, and its files take its place in the queue.
struct MetalinkBody {
    private var bytes: [UInt8] = []

    /// 8 MiB, in bytes: it is in memory while it arrives. One with a hundred mirrors and the hashes of a DVD's pieces has 200 KiB.
    private static let largest = 8 << 20

    /// - Throws: when the response declares too many bytes.
    init(_ head: ResponseHead) throws(TransferFailure) {
        if let length = head.bodyLength, length > Self.largest { throw Self.tooLarge }
    }

    var size: ByteCount { ByteCount(bytes: Int64(bytes.count)) }

    mutating func append(_ more: UnsafeRawBufferPointer) throws(TransferFailure) {
        guard bytes.count + more.count <= Self.largest else { throw Self.tooLarge }
        bytes += more
    }

    private static let tooLarge = TransferFailure.badResponse(
        "the Metalink has more than \(largest >> 20) MiB; --no-metalink saves it as a file")

    /// Whether a response is a Metalink: by its media type, or by its name if the type says that it is XML.
    ///
    /// - Parameter url: that has answered.
    static func isOne(_ head: ResponseHead, at url: @autoclosure () -> TransferURL) -> Bool {
        switch head.mediaType {
        case "application/metalink4+xml", "application/metalink+xml": true
        case "application/xml", "text/xml": Metalink.isName(url().lastPathComponent)
        default: false
        }
    }

    /// What it says of a file that is being fetched.
    ///
    /// - Parameters:
    ///   - url: of the file, by whose name it is found among several.
    ///   - size: `nil`: it is not known.
    /// - Returns: `nil` when it is about other files, or the size is another one.
    func file(at url: TransferURL, size: ByteCount?) -> MetalinkFile? {
        let files = Metalink(bytes).files
        let file = files.count == 1 ? files.first : files.first { $0.path.name == TargetName(url: url).text }
        guard let file, size == nil || file.size == nil || file.size == size else { return nil }
        return file
    }

    /// The transfers of its files, with the folder and the settings of the one that it was fetched for.
    ///
    /// - Throws: `.badResponse` when it has no usable file, `.checksum` when the user's checksum is neither its own nor that of the
    ///   only file that it names.
    func listing(for request: ConnectionRequest) throws(TransferFailure) -> TransportEvent {
        let metalink = Metalink(bytes)
        var settings = request.settings.keepingLogin(at: [request.url]).value
        settings.metalink = .refuse
        settings.checksum = nil
        var listed: Checksum?
        do throws(TransferFailure) {
            try checkOwnHash(request)
        } catch {
            guard metalink.files.count == 1 else { throw error }
            (settings.checksum, listed) = (request.settings.value.checksum, request.listedChecksum)
        }
        var specs = metalink.batch(folder: request.folder, settings: Shared(settings)).specs
        if let listed { (specs[0].listedChecksum, specs[0].listedOrigin) = (listed, request.listedOrigin) }
        if let name = request.name {
            guard specs.count == 1 else { throw .badResponse("a Metalink of several files, which -o gives one name") }
            specs[0].name = name
        }
        for index in specs.indices
        where settings.checksum == nil && specs[index].listedChecksum == nil && specs[index].pieces == nil {
            // Without a hash only an encrypted connection proves what an encrypted Metalink says.
            let urls = specs[index].urls.filter {
                $0.isMirror(of: request.url, allowsDowngrade: settings.allowsDowngrade)
            }
            specs[index].urls = MirrorList(urls)
        }
        let unsafe = specs.first { $0.urls.isEmpty }.map { spec in
            "\(spec.expectedName) has no checksum, and no URL as secure as that of the Metalink"
        }
        specs.removeAll { $0.urls.isEmpty }
        let fault = metalink.problems.first { $0.severity == .error }.map { "line \($0.line): \($0.message)" } ?? unsafe
        guard !specs.isEmpty else {
            throw .badResponse("Metalink: \(fault ?? "it names no files")")
        }
        return .listed(specs, size: size, warning: fault.map { .metalink(reason: $0) })
    }
}

extension MetalinkBody {
    /// - Throws: `.checksum` when the Metalink itself is not what the user's checksum is of.
    private func checkOwnHash(_ request: ConnectionRequest) throws(TransferFailure) {
        let demands = ExpectedChecksum.own(
            request.settings.value, listed: request.listedChecksum, from: request.listedOrigin)
        for demand in demands {
            var hash = PartHash(demand)
            bytes.withUnsafeBytes { hash.take($0, at: 0) }
            try hash.check()
        }
    }
}

/// A response that is a Metalink: its files are reported instead of being saved.
extension DownloadConnection {
    /// Begins to keep the body in memory, if it is a Metalink that is to be followed. One that lies in a folder is a file of
    /// it: what it names may be elsewhere.
    ///
    /// - Throws: when it is one that another Metalink names: lists that name each other would have no end.
    func beginMetalink() throws(TransferFailure) -> Bool {
        guard settings.metalink != .save, request.namedParts == 0, head.status == 200,
            MetalinkBody.isOne(head, at: easy.map { url(of: $0) } ?? request.url)
        else { return false }
        guard settings.metalink == .follow, request.listedOrigin != .metalink else {
            throw .badResponse("this is a Metalink, and was named by another one; only one level is followed")
        }
        metalink = try MetalinkBody(head)
        try findEndProof()
        phase = .collecting
        return true
    }

    func collect(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(TransferFailure) {
            try metalink?.append(bytes)
            return true
        } catch {
            decision = .fail(error)
            return false
        }
    }

    /// The body is complete. Nothing is left on disk of it.
    ///
    /// - Throws: when it was cut short, or has no usable file.
    func reportMetalink() throws(TransferFailure) {
        guard let metalink else { return }
        guard !isCut else { throw .cutShort(have: metalink.size, expected: nil) }
        let listing = try metalink.listing(for: request)
        _ = download.close()
        report(listing)
    }
}
