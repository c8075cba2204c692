import CTransport
import Glibc
import WinchModel
import WinchSystem

/// Asks the system about a host name. Blocks for as long as the name servers take.
package enum NameLookup {
    package enum Answer: Hashable, Sendable {
        /// - Parameter isRoutable: the machine has a route to one of its addresses at least.
        case found(isRoutable: Bool)
        case noSuchName
        /// No name server answered, or one answered that it cannot resolve the name at present.
        case notNow
    }

    /// AI_IDN of <netdb.h>, which only GNU programs get to see.
    private static let internationalized: Int32 = 0x40

    package static func ask(_ host: String) -> Answer {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        if host.utf8.contains(where: { $0 >= 0x80 }) { hints.ai_flags = internationalized }
        // An address of IPv6 stands in brackets in a URL.
        let name = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name, "9", &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        switch code {
        case 0: return .found(isRoutable: isRoutable(list))
        case EAI_AGAIN, EAI_SYSTEM, EAI_MEMORY: return .notNow
        default: return .noSuchName
        }
    }

    /// Connecting a socket of UDP sends nothing: it only looks for a route.
    private static func isRoutable(_ list: UnsafeMutablePointer<addrinfo>?) -> Bool {
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            let number = socket(entry.ai_family, entry.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard number >= 0 else { continue }
            defer { close(number) }
            if connect(number, entry.ai_addr, entry.ai_addrlen) == 0 { return true }
        }
        return false
    }
}

extension NameLookup.Answer {
    /// The failure of an attempt, in the light of the system's answer about its host.
    func judgement(of failure: TransferFailure, host: String) -> TransferFailure {
        switch (failure, self) {
        case (.unreachable(let key, let reason), .found(isRoutable: false)),
            (.unreachable(let key, let reason), .notNow):
            .networkDown(host: key, reason: reason)
        case (.hostNotFound, .notNow), (.hostNotFound, .found), (.proxy, .notNow), (.proxy, .found):
            .nameServerDown(host: host)
        default: failure
        }
    }
}

/// Attempts that failed because the host was not found or not reached: the cause may be this machine's network, which
/// libcurl's result does not show.
extension CurlTransport {
    /// Asks the system on a thread of its own, once for each host at a time; the attempt keeps its place until then.
    func ask(about host: String, for connection: any FileConnection, after failure: TransferFailure) {
        pendingLookups[host, default: []].append((connection, failure))
        guard pendingLookups[host]?.count == 1 else { return }
        let (lookUp, inbox) = (lookUp, inbox)
        let isAsked = Threads.start {
            winch_thread_use_utf8()
            let answer = lookUp(host)
            inbox.post { $0.looked(up: host, answer) }
        }
        if !isAsked { looked(up: host, .noSuchName) }
    }

    func looked(up host: String, _ answer: NameLookup.Answer) {
        for (asking, failure) in pendingLookups.removeValue(forKey: host) ?? [] {
            // It may have ended, and asked for another range of its file.
            guard let (connection, easy) = handles.connections[asking.id], connection === asking else { continue }
            fail(connection, answer.judgement(of: failure, host: host))
            giveBack(easy)
        }
    }
}
