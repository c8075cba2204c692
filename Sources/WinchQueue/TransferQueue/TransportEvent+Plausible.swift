import WinchModel

extension TransportEvent {
    /// No count of bytes is below zero.
    var isPlausible: Bool {
        switch self {
        case .requested, .connected, .demanded, .mirrors, .redirected, .replied, .warned, .pieceEnded: true
        case .verified(let count, let size): count >= .zero && size >= .zero
        case .listed(let specs, let size, _): !specs.isEmpty && size >= .zero
        case .sent(let count, let size): count >= .zero && size ?? .zero >= .zero
        case .opened(let opening):
            opening.offset >= .zero && opening.total ?? .zero >= .zero && opening.part.onDisk.isPlausible
        case .unsent(let count, _): count >= .zero
        case .placed(let point, _): point.onDisk.isPlausible && point.upload != nil
        case .moved(let position): position >= 0
        case .wrongPiece(let range, _, _): range.lowerBound >= 0 && !range.isEmpty
        case .durable(let ranges): ranges.isPlausible
        case .bodyEnded(let count),
            .finished(_, let count):
            count >= .zero
        case .failed(_, _, let kept), .stopped(let kept):
            kept?.onDisk.isPlausible ?? true && kept?.total ?? .zero >= .zero
        case .probed(let size): size ?? .zero >= .zero
        }
    }
}

extension ResumePoint {
    /// A state kept from an earlier run, as far as it makes sense.
    var plausible: ResumePoint? {
        guard onDisk.isPlausible else { return nil }
        var point = self
        if let total, total.bytes < onDisk.end { point.total = nil }
        return point
    }
}

extension ByteRanges {
    /// No position is below zero.
    fileprivate var isPlausible: Bool { ranges.first?.lowerBound ?? 0 >= 0 }
}
