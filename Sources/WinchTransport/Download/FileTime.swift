import CTransport
import WinchHTTP
import WinchModel

/// The time of the last change that the file of a tree gets: the listing's if that is exact, else the one that the server names
/// with the file, else the listing's as if it were UTC.
extension ConnectionRequest {
    /// The file gets a time of the server's.
    var setsTime: Bool { namedParts > 0 && settings.value.keepsTimes != false }

    /// In seconds since 1970, as the listing says; `nil`: it does not say it to the second.
    var exactTime: Int64? {
        listedVersion?.time.flatMap { $0.isZoned && $0.precision == .second ? $0.seconds : nil }
    }

    /// It costs a command more, which web servers do not need.
    var asksTime: Bool { !url.scheme.isHTTP && setsTime && exactTime == nil }
}

extension DownloadConnection {
    func noteTime(of easy: EasyHandle) {
        guard request.setsTime else { return }
        if asked.isHTTP {
            guard (200...299).contains(head.status) else { return }
            download.serversTime = head.lastModified.flatMap { HTTPDate.seconds($0) }
        } else {
            let time = easy.fact(WINCH_FILE_TIME)
            download.serversTime = time >= 0 ? time : nil
        }
    }
}
