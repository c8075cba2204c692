package import WinchModel

extension CurlTransport: TransportPort {
    package nonisolated func open(_ request: ConnectionRequest) { post(.open(request)) }

    package nonisolated func proceed(_ id: ConnectionID) { post(.proceed(id)) }

    package nonisolated func withdraw(_ request: ConnectionRequest) { post(.withdraw(request)) }

    package nonisolated func close(_ id: ConnectionID, discarding: Bool) { post(.close(id, discarding: discarding)) }

    package nonisolated func bound(_ id: ConnectionID, at end: Int64) { post(.bound(id, end)) }

    package nonisolated func discard(
        _ id: TransferID, _ resume: ResumePoint?, folder: String, addresses: [TransferURL]
    ) {
        post(.discard(id, resume, folder: folder, addresses: addresses))
    }
    package nonisolated func probe(_ request: ProbeRequest) { post(.probe(request)) }
    package nonisolated func stopProbe(_ id: TransferID) { post(.stopProbe(id)) }
    package nonisolated func limit(_ id: ConnectionID, to rate: ByteRate?) { post(.limit(id, rate)) }

    package nonisolated func trust(_ key: HostKey, remembering: Bool) { post(.trust(key, remembering: remembering)) }
    package nonisolated func unlock(keyFile: String, _ passphrase: Secret) {
        post(.unlock(keyFile: keyFile, passphrase))
    }

    package nonisolated func space(in folder: String) async -> DiskSpaceReading? { await files.space(in: folder) }

    package nonisolated func shutDown() async {
        await withCheckedContinuation { post(.shutDown($0)) }
    }
}
