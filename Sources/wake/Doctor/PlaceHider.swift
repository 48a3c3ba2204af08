import WakeServer

/// Takes out of texts where files lie: the names of folders tell who somebody is.
///
/// What is known to be a path is hidden first, whatever letters it has. Whatever else looks like an absolute one keeps its
/// last part alone, so that a path which nobody thought of here is hidden too. URLs and routes are none.
struct PlaceHider {
  /// Folders, and files, that have a word of their own: `<state>`.
  private let named: [(path: String, word: String)]
  /// Files that settings name, the longest first.
  private let files: [String]
  /// Users whose the files are.
  private let owners: [String]
  /// Whole paths that lead to one of these: their last part is a folder's name.
  private let folders: Set<String>

  /// What stands for a folder that has no word of its own.
  static let folder = "<folder>"

  /// - Parameters:
  ///   - named: paths and what stands for them, the innermost first.
  ///   - files: paths as they were written; relative ones too.
  init(named: [(path: String, word: String)], files: [String], owners: [String] = []) {
    // A folder `/` hides nothing, and would be every slash.
    self.named = named.filter { $0.path.utf8.count > 1 }
    let own = Set(self.named.map(\.path))
    self.files = Set(files).filter { $0.contains("/") && $0.utf8.count > 1 && !own.contains($0) }
      .sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    self.owners = owners
    folders = Set((self.named.map(\.path) + self.files).flatMap(Self.ancestors))
  }

  /// The same text without places.
  func hiding(_ text: String) -> String {
    var text = text
    for file in files { text.replace(file, with: word(for: file)) }
    for (path, word) in named { text.replace(path, with: word) }
    for owner in owners {
      text.replace("user \(owner)", with: "user <owner>")
      text.replace("-u \(owner) ", with: "-u <owner> ")
    }
    return shortened(text)
  }

  /// A file without its folder.
  private func word(for file: String) -> String {
    let place = named.first { file.hasPrefix($0.path + "/") }?.word ?? Self.folder
    return "\(place)/\(Self.last(file))"
  }

  /// Every path in a text without its folders.
  private func shortened(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let slash = rest.firstIndex(of: "/") {
      result += rest[..<slash]
      let word = rest[slash...].prefix { !Self.ends($0) }
      let path = word.dropLast(word.reversed().prefix { ".,:!?…".contains($0) }.count)
      rest = rest[path.endIndex...]
      result += Self.isURL(result, path) ? String(path) : short(path, behind: result.last)
    }
    return result + rest
  }

  private func short(_ path: Substring, behind character: Character?) -> String {
    let isBehindWord = character == ">"
    guard isBehindWord || character.map({ !$0.isLetter && !$0.isNumber && !"._-~*%]}".contains($0) }) ?? true
    else { return String(path) }
    let parts = path.split(separator: "/")
    if folders.contains("/" + parts.joined(separator: "/")) { return Self.folder }
    if isBehindWord { return parts.last.map { "/\($0)" } ?? String(path) }
    // One part has no folder; and what begins with `/v1/` is a route of the service.
    guard parts.count > 1, parts[0] != "v1" else { return String(path) }
    return "\(Self.folder)/\(parts[parts.count - 1])"
  }

  private static func isURL(_ before: String, _ path: Substring) -> Bool {
    path.hasPrefix("//") && (before.hasSuffix("http:") || before.hasSuffix("https:"))
  }

  private static func ends(_ character: Character) -> Bool {
    character.isWhitespace || "'\"`;()<>".contains(character)
  }

  private static func last(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }

  /// The folders on the way to an absolute path, and the path, without slashes at their ends.
  private static func ancestors(_ path: String) -> [String] {
    let parts = path.hasPrefix("/") ? path.split(separator: "/") : []
    return parts.indices.dropLast().map { "/" + parts[...$0].joined(separator: "/") }
  }
}
