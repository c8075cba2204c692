import CTransport
import WinchHTTP
import WinchModel

/// The time of the last change that the file of a tree gets: the listing's if that is exact, else the one that the server names
/// with the file if it may be the listed one, else the listing's as if it were UTC.
extension ConnectionRequest {
    /// The file gets a time of the server's.
    var setsTime: Bool { namedParts > 0 && settings.value.keepsTimes != false }

    /// In seconds since 1970, as the listing says; `nil`: it does not say it to the second.
    var exactTime: Int64? {
        listedVersion?.time.flatMap { $0.isZoned && $0.precision == .second ? $0.seconds : nil }
    }

    /// Whether a Last-Modified, in seconds since 1970, may be the listed time, so that the next run finds the file unchanged.
    /// Apache sends the time of the response for a file that is dated in the future; others send it for every file.
    fileprivate func admits(lastModified: Int64) -> Bool {
        // A date of digits alone may have been read with day and month in the wrong order.
        guard let listed = listedVersion?.time, listed.precision != .day else { return true }
        return listed.contains(lastModified)
    }

    /// It costs a command more, which web servers do not need.
    var asksTime: Bool { !url.scheme.isHTTP && setsTime && exactTime == nil }
}

extension DownloadConnection {
    /// When the file was changed, as the answer says, in seconds since 1970; `nil`: it does not say, or the file gets another time.
    var answeredTime: Int64? {
        guard request.setsTime, request.exactTime == nil, let easy else { return nil }
        guard asked.isHTTP else {
            let time = easy.fact(WINCH_FILE_TIME)
            return time >= 0 ? time : nil
        }
        guard (200...299).contains(head.status), let time = head.lastModified.flatMap({ ListingDates.http($0) }) else {
            return nil
        }
        return request.admits(lastModified: time) ? time : nil
    }
}
