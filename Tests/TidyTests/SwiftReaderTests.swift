import Testing

@Suite("Code, comments and strings are told apart")
struct SwiftReaderTests {
  @Test(
    "comments and the contents of strings are blanked, everything else is kept",
    arguments: [
      ("a // b", "a     "),
      ("a /* b /* c */ d */ e", "a                   e"),
      (#"a "b" c"#, #"a " " c"#),
      (#"a "b\"c" d"#, #"a "    " d"#),
      (#"a "b\(c["d"])e" f"#, #"a "   c[" "]  " f"#),
      (##"a #"b"c\(d)"# e"##, ##"a #"       "# e"##),
      (##"a #"b\#(c)"# e"##, ##"a #"    c "# e"##),
      ("a \"\"\"\n b \"c\" // d\n \"\"\" e", "a \"\"\"\n           \n \"\"\" e"),
      ("a \"b\nc", "a \" \nc"),
      ("https // a", "https     "),
      (#""https://a""#, #""         ""#),
    ])
  func blanking(text: String, code: String) {
    var reader = SwiftReader(text)
    reader.read()
    #expect(reader.code == code)
  }

  @Test("a literal is given with the line where it begins, without its interpolations")
  func literals() {
    var reader = SwiftReader("let a = \"x\\(y)z\"\n\nlet b = \"\"\"\n  one\n  \"\"\"\nlet c = #\"\\n\"#")
    reader.read()
    #expect(
      reader.literals == [
        .init(line: 1, text: "xz"), .init(line: 3, text: "\n  one\n  "), .init(line: 6, text: "\\n"),
      ])
  }

  @Test("lines are counted from 1, and the last line break ends the last line")
  func lines() {
    let file = SourceFile(path: "Sources/wake/main.swift", text: "a\nb\n")
    #expect(file.lines == [.init(line: 1, text: "a"), .init(line: 2, text: "b")])
    #expect(file.module == "wake")
    #expect(file.area == "Sources")
    #expect(file.name == "main.swift")
  }
}
