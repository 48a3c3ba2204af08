import Testing

@Suite("The architecture: imports point down only")
struct ArchitectureTests {
  @Test("no file imports what its module or its name does not allow")
  func imports() {
    let findings = Repository.swift(in: "Sources", "Tests", "Benchmarks").flatMap(Architecture.findings)
    #expect(findings.isEmpty, findings.listed)
  }

  @Test("the table lists every module under those that it may import")
  func order() {
    var below: Set<String> = []
    for module in Architecture.modules {
      #expect(module.ours.isSubset(of: below), "\(module.name) imports upwards")
      below.insert(module.name)
    }
  }

  @Test("the table and the folder Sources name the same modules")
  func completeness() {
    let found = Set(Repository.swift(in: "Sources").map(\.module))
    let listed = Set(Architecture.modules.map(\.name))
    #expect(found == listed)
  }

  @Test(
    "an import is read whatever stands before and after it",
    arguments: [
      ("import COpenSSL", "COpenSSL"),
      ("  internal import CCurl", "CCurl"),
      ("@testable import WakeServer", "WakeServer"),
      ("@preconcurrency public import Foundation", "Foundation"),
      ("internal import class Foundation.Thread", "Foundation.Thread"),
      ("let important = imports", nil),
      ("we import nothing", nil),
    ] as [(String, String?)])
  func reading(line: String, module: String?) {
    #expect(Architecture.imported(by: line) == module)
  }

  @Test(
    "an import that is not allowed is found",
    arguments: [
      ("Sources/PushDelivery/Topic.swift", "internal import CCurl"),
      ("Sources/WebPushCrypto/Sender+Curl.swift", "internal import CCurl"),
      ("Sources/CryptoPrimitives/Hex.swift", "import Foundation"),
      ("Sources/PushDelivery/Sender.swift", "import WakeServer"),
      ("Sources/Elsewhere/File.swift", "import Glibc"),
      ("Tests/PushDeliveryTests/SenderTests.swift", "import CCurl"),
    ])
  func refusal(path: String, text: String) {
    #expect(Architecture.findings(in: SourceFile(path: path, text: text)).count == 1)
  }
}
