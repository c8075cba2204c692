import WinchModel

extension DetailLines {
    /// What the server answered to an upload.
    func replyLines(_ reply: ServerReply) -> [DetailsPanel.Line] {
        var lines: [DetailsPanel.Line] = [.heading("Reply")]
        lines += field("Status", "\(reply.status) \(reply.reason)")
        if let location = reply.location { lines += field("Location", location) }
        let text = reply.text.split(whereSeparator: \.isNewline).prefix(Self.mostReplyLines)
        for (place, line) in text.enumerated() { lines += field(place == 0 ? "Body" : "", String(line)) }
        if reply.isCut { lines += field("", "(there is more)", theme.quiet) }
        return lines
    }

    /// Servers answer in pages: the first lines say what happened.
    private static let mostReplyLines = 200
}
