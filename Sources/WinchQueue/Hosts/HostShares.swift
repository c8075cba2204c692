import WinchModel

/// The parts of the hosts' connections that other machines leave to this queue.
struct HostShares: Hashable, Sendable {
    private struct Record: Hashable {
        var share = HostShare(places: 0)
        /// When its generation came.
        var since: Moment?
        var answers = 0
        var refusals = 0
        var pauses = 0
        var pause = Duration.zero
    }

    /// `nil`: this queue has the hosts for itself.
    private var records: [String: Record]?

    var areInForce: Bool { records != nil }

    /// From now on hosts are shared with other machines.
    mutating func begin() { records = records ?? [:] }

    /// A share that does not know of the latest refusal opens nothing.
    func places(at host: String) -> Int {
        guard let records else { return .max }
        guard let record = records[host], record.share.refusals >= record.refusals else { return 0 }
        return max(0, record.share.places)
    }

    /// The places of the last share, whether or not something was refused since.
    func granted(at host: String) -> Int { records == nil ? .max : max(0, records?[host]?.share.places ?? 0) }

    /// Connections that other machines may have.
    func elsewhere(at host: String) -> Int { max(0, records?[host]?.share.elsewhere ?? 0) }

    mutating func set(_ share: HostShare, of host: String, at now: Moment) {
        var record = records?[host] ?? Record()
        if record.since == nil || share.generation > record.share.generation { record.since = now }
        record.share = share
        records?[host] = record
    }

    mutating func answered(_ host: String) { records?[host, default: Record()].answers += 1 }

    /// - Parameter begun: when the refused attempt began.
    mutating func refused(_ host: String, begun: Moment) {
        if let since = records?[host]?.since, begun < since { return }
        records?[host, default: Record()].refusals += 1
    }

    /// The host has asked this machine for a pause: the other machines must know.
    mutating func noteRequest(ofPause pause: Duration, by host: String) {
        guard areInForce else { return }
        records?[host, default: Record()].pauses += 1
        records?[host]?.pause = pause
    }

    /// Hosts that were named in a share, or have answered.
    var hosts: some Collection<String> { (records ?? [:]).keys }

    func use(of host: String, open: Int, accepted: Int, waiting: Int) -> HostUse {
        let record = records?[host]
        var use = HostUse(
            host: host, open: open, accepted: accepted, waiting: waiting, share: record?.share.number ?? 0,
            answers: record?.answers ?? 0, refusals: record?.refusals ?? 0)
        if let record { (use.pauses, use.pause) = (record.pauses, record.pause) }
        return use
    }
}
