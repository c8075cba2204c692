import WinchBatch
import WinchModel
import WinchProgress

/// Ten times a second: counts, stalls, limits of time.
extension CurlTransport {
    /// A tick that is later than this shows that the process was stopped: the connections did not stall.
    private static let suspension: Duration = .seconds(1)

    /// 20 ms: whether another connection helps is decided after some 60 ms.
    static let glanceSpan = Duration.milliseconds(20)

    func glance() {
        let isNeeded = downloads.values.contains { $0.isNew(at: outbox.now) }
        nextGlance = isNeeded ? outbox.now + Self.glanceSpan : nil
        for (connection, _) in handles.connections.values where connection.download.isWatched(at: outbox.now) {
            connection.flush()
        }
        takeBack()
    }

    /// Connections that are about to end go on into what others hardly bring.
    private func takeBack() {
        for download in downloads.values where download.connections.count > 1 && !download.isAskingNoMore {
            for end in download.chunks?.takeBack(at: outbox.now) ?? [] { bound(download, end) }
        }
    }

    /// The threads of a transport tick at the same instants, so that the engine and the dashboard work once for the reports of all
    /// of them.
    var followingTick: Moment { outbox.now.next(multipleOf: Self.tickSpan) }

    func tick() {
        let late = outbox.now - nextTick
        nextTick = followingTick
        let gap = late > Self.suspension ? late : nil
        for (connection, easy) in handles.connections.values {
            if let gap { connection.speed.exclude(gap) }
            connection.speed.noteTick()
            // One that has failed may have ended others, or had them go on with their next ranges.
            guard handles.connections[connection.id]?.connection === connection, let failure = connection.check() else {
                continue
            }
            withdraw(easy)
            fail(connection, failure)
        }
        takeBack()
        checkUploads(late: gap)
        checkListings(late: gap)
        endLateDescriptions()
        checkRemovals()
        for (id, entry) in handles.probes where entry.probe.deadline <= outbox.now {
            handles.probes[id] = nil
            withdraw(entry.easy)
            entry.probe.answer()
        }
    }
}

/// Metalinks that servers name for files.
extension CurlTransport {
    func describe(_ id: TransferID) {
        guard let download = downloads[id], let url = download.describedBy, download.isAwaitingDescription else {
            return
        }
        if let (_, easy) = handles.descriptions.removeValue(forKey: id) { withdraw(easy) }
        let description = DescriptionRequest(url, for: download, at: outbox.now)
        do throws(TransferFailure) {
            let easy = try begin(description.easyRequest, for: description, at: description.url.server)
            description.easy = easy
            handles.descriptions[id] = (description, easy)
        } catch {
            take(nil, of: download)
        }
    }

    func ended(_ description: DescriptionRequest, _ code: CurlCode, _ easy: EasyHandle) {
        let file = description.end(code)
        giveBack(easy)
        guard let download = description.download else {
            return handles.descriptions = handles.descriptions.filter { $0.value.easy !== easy }
        }
        handles.descriptions[download.request.transfer] = nil
        take(file, of: download)
    }

    /// Files wait no longer for servers that do not answer.
    func endLateDescriptions() {
        for (id, entry) in handles.descriptions where entry.description.deadline <= outbox.now {
            handles.descriptions[id] = nil
            withdraw(entry.easy)
            if let download = entry.description.download { take(nil, of: download) }
        }
    }

    private func take(_ file: MetalinkFile?, of download: Download) {
        let id = download.request.transfer
        guard downloads[id] === download else { return }
        let (mirrors, demands, pieces) = download.take(file)
        let waiting = download.waitingEnd?.connections.first?.id
        let connection = waiting ?? download.connections.min() ?? download.request.connection
        if !mirrors.isEmpty { outbox.report(connection, .mirrors(mirrors, metalink: nil)) }
        if demands != nil || pieces != nil {
            outbox.report(connection, .demanded(demands ?? download.hasher.lastDemands, pieces: pieces))
        }
        goOnToEnd(of: download)
    }
}
