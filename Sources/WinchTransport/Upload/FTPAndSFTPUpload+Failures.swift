import WinchHTTP
import WinchModel

extension FTPAndSFTPUpload {
    /// The failure in the words of an upload.
    func failed(_ failure: TransferFailure, _ answer: UploadAnswer) -> TransferFailure {
        let path = target.shownPath
        switch (answer.code, answer.reply) {
        case (.remoteDiskFull, _), (.uploadFailed, 452), (.uploadFailed, 552), (.partialFile, 452), (.partialFile, 552):
            return .remoteFull(host: target.hostKey)
        case (.uploadFailed, 532), (.uploadFailed, 550), (.uploadFailed, 553): return .remoteWrite(.denied, path: path)
        // 451: a fault at the server, which is what vsftpd says of a full disk too.
        case (.uploadFailed, _), (.partialFile, 451): return .remoteWrite(.unknown, path: path)
        default: break
        }
        switch answer.code {
        case .ssh:
            if case .connectionLost = failure { return failure }
            return .remoteWrite(.unknown, path: path)
        case .remoteFileNotFound: return .remoteWrite(.noFolder, path: target.folder?.shownPath ?? path)
        case .accessDenied:
            return isSFTP || order.createsFolders
                ? .remoteWrite(.denied, path: path) : .remoteWrite(.noFolder, path: target.folder?.shownPath ?? path)
        default: return failure
        }
    }

    /// SFTP has one word, "Failure", for a full disk and for much else.
    ///
    /// - Source: OpenSSH, file PROTOCOL, section 3.4: statvfs@openssh.com.
    mutating func askSpace(after failure: TransferFailure) -> UploadStep {
        guard let folder = target.folder else { return .failed(failure, place: place) }
        stage = .askingSpace(after: failure)
        var request = UploadRequest(folder, settings)
        request.isHead = true
        // With the asterisk a server that does not know the question is no error.
        request.commandsBefore = ["*statvfs \(folder.commandPath(of: "."))"]
        return .request(request)
    }

    func spaceTold(_ failure: TransferFailure, _ answer: UploadAnswer) -> UploadStep {
        .failed(answer.freeBlocks == 0 ? .remoteFull(host: target.hostKey) : failure, place: place)
    }
}

extension TransferURL {
    /// The path at the server, as a message shows it.
    var shownPath: String { PercentCoding.decodedSystemText(pathText) }

    /// The last part of the path, decoded.
    var fileName: String { PercentCoding.decodedSystemText(lastPathComponent) }

    /// Of a file in this folder on an SFTP server, for libcurl's commands. What begins with `/~/` is in the home folder:
    /// libcurl knows that in commands only without quotes, but to the server relative paths begin there.
    func commandPath(of name: String) -> String {
        let path = PercentCoding.decodedSystemText(pathText) + name
        var bytes = Array("\"".utf8)
        for byte in path.utf8.dropFirst(path.hasPrefix("/~/") ? 3 : 0) {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self) + "\""
    }
}
