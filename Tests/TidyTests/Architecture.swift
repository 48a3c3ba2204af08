/// The modules from the lowest to the highest, and what each may import. `docs/ARCHITECTURE.md` draws the same.
///
/// To change the architecture is to change this table, in a commit that says why.
enum Architecture {
  struct Module: Sendable {
    let name: String
    /// Modules of this package.
    let ours: Set<String>
    /// C libraries, as their system-library targets are called.
    let c: Set<String>
    /// Modules that come with the toolchain, or one name of such a module. Foundation's parsers are slow and some
    /// end the process on hostile input, so only what stands above the wire has all of it.
    let platform: Set<String>

    init(_ name: String, ours: Set<String> = [], c: Set<String> = [], platform: Set<String> = []) {
      self.name = name
      self.ours = ours
      self.c = c
      self.platform = platform
    }
  }

  private static let threads: Set<String> = ["Dispatch", "Foundation.Thread", "Glibc", "Synchronization"]
  private static let everything: Set<String> = [
    "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization",
  ]

  static let modules: [Module] = [
    Module("CryptoPrimitives", c: ["COpenSSL"], platform: ["Synchronization"]),
    Module("StrictJSON", c: ["CJansson"]),
    Module("WebPushCrypto", ours: ["CryptoPrimitives", "StrictJSON"], platform: ["Synchronization"]),
    Module("KindCatalogue", ours: ["CryptoPrimitives"]),
    Module(
      "EndpointRegistry", ours: ["CryptoPrimitives", "WebPushCrypto", "KindCatalogue", "StrictJSON"],
      c: ["CSQLite"], platform: threads),
    Module("HTTPClient", c: ["CCurl", "COpenSSL"], platform: threads),
    Module(
      "PushDelivery", ours: ["CryptoPrimitives", "WebPushCrypto", "StrictJSON", "HTTPClient"], c: ["CCurl"],
      platform: threads),
    Module("HTTPListener", c: ["CMicroHTTPD", "CGnuTLS"], platform: threads),
    Module(
      "WakeServer",
      ours: [
        "CryptoPrimitives", "WebPushCrypto", "KindCatalogue", "StrictJSON", "EndpointRegistry",
        "PushDelivery", "HTTPClient", "HTTPListener",
      ],
      platform: everything),
    Module(
      "StandIns",
      ours: [
        "CryptoPrimitives", "WebPushCrypto", "StrictJSON", "HTTPClient", "HTTPListener", "WakeServer",
      ],
      c: ["COpenSSL"],
      platform: everything),
    Module(
      "wake",
      ours: [
        "CryptoPrimitives", "WebPushCrypto", "KindCatalogue", "StrictJSON", "EndpointRegistry", "HTTPClient",
        "PushDelivery", "HTTPListener", "WakeServer", "StandIns",
      ],
      c: ["CQREncode"], platform: everything),
  ]

  /// What the name of a file that imports a C library ends in.
  static let suffixes = [
    "COpenSSL": "+OpenSSL.swift",
    "CCurl": "+Curl.swift",
    "CSQLite": "+SQLite.swift",
    "CMicroHTTPD": "+MicroHTTPD.swift",
    "CGnuTLS": "+GnuTLS.swift",
    "CJansson": "+Jansson.swift",
    "CQREncode": "+QREncode.swift",
  ]

  /// The modules below WakeServer: time is a parameter there.
  static let belowTheServer: Set<String> = Set(modules.map(\.name).prefix { $0 != "WakeServer" })

  /// What the line imports: `COpenSSL` for `internal import COpenSSL`, `Foundation.Thread` for
  /// `import class Foundation.Thread`; nil for any other line.
  static func imported(by line: String) -> String? {
    let words = line.split { $0 == " " || $0 == "\t" || $0 == ";" }
    guard let position = words.firstIndex(of: "import"), position + 1 < words.count,
      words[..<position].allSatisfy({ $0.hasPrefix("@") || accessLevels.contains(String($0)) })
    else { return nil }
    let sort = importKinds.contains(String(words[position + 1])) ? 1 : 0
    guard position + 1 + sort < words.count else { return nil }
    return String(words[position + 1 + sort])
  }

  private static let accessLevels: Set<String> = ["public", "package", "internal", "fileprivate", "private"]
  private static let importKinds: Set<String> = [
    "struct", "class", "enum", "protocol", "typealias", "func", "let", "var",
  ]

  /// Imports of `file` that the table does not allow.
  static func findings(in file: SourceFile) -> [Finding] {
    file.code.flatMap { line -> [Finding] in
      guard let imported = imported(by: line.text) else { return [] }
      let name = String(imported.prefix { $0 != "." })
      var remedies: [String] = []
      if let suffix = suffixes[name], !file.name.hasSuffix(suffix) {
        remedies.append("imports \(name): move what needs it to a file named …\(suffix)")
      }
      if file.area == "Sources" {
        if let module = modules.first(where: { $0.name == file.module }) {
          let allowed = module.ours.union(module.c).union(module.platform)
          if !allowed.contains(name), !allowed.contains(imported) {
            remedies.append(
              "\(module.name) may not import \(imported): let a module above both connect them, "
                + "or change the table in Tests/TidyTests/Architecture.swift and say why")
          }
        } else {
          remedies.append(
            "the module \(file.module) is unknown: add it to Tests/TidyTests/Architecture.swift")
        }
      }
      return remedies.map { Finding(path: file.path, line: line.line, remedy: $0) }
    }
  }
}
