/// What the rules about documents need to read in Markdown.
enum Markdown {
  /// The links of a document that do not lead to another host, each with its line.
  static func relativeLinks(in file: SourceFile) -> [SourceFile.Piece] {
    prose(of: file).flatMap { line -> [SourceFile.Piece] in
      let text = withoutCode(line.text)
      return text.matches(of: /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/)
        .map { SourceFile.Piece(line: line.line, text: String($0.output.1)) }
        .filter { !$0.text.contains("://") && !$0.text.hasPrefix("mailto:") }
    }
  }

  /// The names by which the headings of a document can be linked to: `## The wake, again` is `the-wake-again`.
  static func anchors(in file: SourceFile) -> Set<String> {
    var seen: [String: Int] = [:]
    var all: Set<String> = []
    for line in prose(of: file) where line.text.hasPrefix("#") {
      let title = line.text.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
      let name = String(
        title.compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : nil })
      let earlier = seen[name, default: 0]
      seen[name] = earlier + 1
      all.insert(earlier == 0 ? name : "\(name)-\(earlier)")
    }
    return all
  }

  /// The path that `link` leads to from `file`, relative to the top of the repository; nil where it leaves it.
  static func target(of link: String, from file: SourceFile) -> String? {
    let path = link.prefix { $0 != "#" }
    guard !path.isEmpty else { return file.path }
    var parts = path.hasPrefix("/") ? [] : file.path.split(separator: "/").dropLast()
    for part in path.split(separator: "/") where part != "." {
      if part == ".." {
        guard !parts.isEmpty else { return nil }
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return parts.joined(separator: "/")
  }

  /// The lines outside fenced blocks.
  static func prose(of file: SourceFile) -> [SourceFile.Piece] {
    var isFenced = false
    return file.lines.filter { line in
      let isFence = line.text.drop { $0 == " " }.hasPrefix("```")
      if isFence { isFenced.toggle() }
      return !isFence && !isFenced
    }
  }

  /// A line without what stands between backticks.
  static func withoutCode(_ line: String) -> String {
    line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .map { $0.offset.isMultiple(of: 2) ? String($0.element) : "" }.joined(separator: "`")
  }
}
