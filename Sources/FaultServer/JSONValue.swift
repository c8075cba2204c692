/// The subset of JSON that `/stats` and `/echo` answer with.
enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    case number(Int64)
    case string(String)
    case array([JSONValue])
    case object([(name: String, value: JSONValue)])

    static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    static func optional(_ number: Int64?) -> JSONValue { number.map(JSONValue.number) ?? .null }

    var text: String {
        switch self {
        case .null: "null"
        case .boolean(let flag): flag ? "true" : "false"
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
