import Testing

@Suite("Files")
struct FileTests {
  /// A file longer than this has grown a second job.
  static let lengthMaximum = ["Sources": 400, "Tests": 600, "Benchmarks": 400]

  static func tooLong(_ file: SourceFile) -> Finding? {
    guard let maximum = lengthMaximum[file.area], file.lines.count > maximum else { return nil }
    return Finding(
      path: file.path, line: maximum + 1,
      remedy: "\(file.lines.count) lines, \(maximum) at most: move a type or a topic to a file of its own")
  }

  static func assertsNothing(_ file: SourceFile) -> Finding? {
    guard let test = file.code.first(where: { $0.text.contains("@Test") }) else { return nil }
    let assertions = ["#expect", "#require", "Issue.record"]
    guard !file.code.contains(where: { line in assertions.contains { line.text.contains($0) } }) else {
      return nil
    }
    return Finding(
      path: file.path, line: test.line, remedy: "asserts nothing: say with #expect what must hold")
  }

  /// Files that only keep a place for a module, where the module has begun.
  static func placeholders(in files: [SourceFile]) -> [Finding] {
    files.filter { $0.name == "Placeholder.swift" }.filter { file in
      files.contains { $0.area == file.area && $0.module == file.module && $0.path != file.path }
    }.map { Finding(path: $0.path, line: nil, remedy: "the module has begun: remove its placeholder") }
  }

  @Test("no placeholder stays beside what has taken its place")
  func placeholders() {
    let findings = Self.placeholders(in: Repository.swift(in: "Sources", "Tests"))
    #expect(findings.isEmpty, findings.listed)
  }

  @Test("no file is longer than its limit")
  func length() {
    let findings = Repository.swift(in: "Sources", "Tests", "Benchmarks").compactMap(Self.tooLong)
    #expect(findings.isEmpty, findings.listed)
  }

  /// What a merge leaves where two sides changed the same lines.
  static func unmerged(_ file: SourceFile) -> Finding? {
    let marks = ["<<<<<<< ", ">>>>>>> "]
    return file.lines.first { line in marks.contains { line.text.hasPrefix($0) } }.map {
      Finding(path: file.path, line: $0.line, remedy: "a merge was left half done: choose what stays")
    }
  }

  @Test("no merge was left half done")
  func merges() {
    let findings = Repository.files.compactMap(Self.unmerged)
    #expect(findings.isEmpty, findings.listed)
    let left = SourceFile(path: "README.md", text: "a\n\u{3C}<<<<<< HEAD\nb")
    #expect(Self.unmerged(left)?.line == 2)
  }

  @Test("every file with a test asserts something")
  func assertions() {
    let findings = Repository.swift(in: "Tests").compactMap(Self.assertsNothing)
    #expect(findings.isEmpty, findings.listed)
  }

  @Test("a file that is too long, one that asserts nothing and a placeholder are found")
  func found() {
    let long = String(repeating: "let a = 1\n", count: 401)
    #expect(Self.tooLong(SourceFile(path: "Sources/wake/A.swift", text: long))?.line == 401)
    #expect(Self.tooLong(SourceFile(path: "Tests/wake/A.swift", text: long)) == nil)
    let begun = ["Placeholder", "A"].map { SourceFile(path: "Sources/wake/\($0).swift", text: "") }
    #expect(Self.placeholders(in: begun).map(\.path) == ["Sources/wake/Placeholder.swift"])
    #expect(Self.placeholders(in: [begun[0]]) == [])
    let idle = "@Test func a() {}  // #expect"
    #expect(Self.assertsNothing(SourceFile(path: "Tests/A/A.swift", text: idle))?.line == 1)
  }
}
