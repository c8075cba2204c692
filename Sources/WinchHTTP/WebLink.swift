/// A link that a response names in a `Link` header field.
package struct WebLink: Hashable, Sendable {
    /// As sent, between `<` and `>`; often relative to the URL of the response. Untrusted text.
    package var target: String
    /// The relation types in lower case, such as `duplicate`; at least one.
    package var relations: [String]
    /// The media type of the target in lower case, without parameters; a hint only.
    package var mediaType: String?
    /// The lowest is to be used first, from 1; `nil`: after all others.
    ///
    /// - Source: RFC 6249, section 3.1.
    package var priority: Int?

    package init(target: String, relations: [String], mediaType: String? = nil, priority: Int? = nil) {
        self.target = target
        self.relations = relations
        self.mediaType = mediaType
        self.priority = priority
    }

    /// A mirror of the file.
    ///
    /// - Source: RFC 6249, section 3.
    package var isDuplicate: Bool { relations.contains("duplicate") }

    /// A Metalink that describes the file.
    ///
    /// - Source: RFC 6249, section 4.
    package var isMetalink: Bool { relations.contains("describedby") && mediaType == "application/metalink4+xml" }
}
