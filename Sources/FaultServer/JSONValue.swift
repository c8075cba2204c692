/// The subset of JSON that `/stats` and `/received` answer with.
enum JSONValue: Sendable {
    case number(Int64)
    case string(String)
    case array([JSONValue])
    case object([(name: String, value: JSONValue)])

    var text: String {
        switch self {
        case .number(let number): String(number)
        case .string(let text): Self.quoted(text)
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.name) + ":" + $0.value.text }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
