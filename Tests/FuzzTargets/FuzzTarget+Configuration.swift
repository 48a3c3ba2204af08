import WakeServer

extension FuzzTarget {
  /// A configuration file. What is wrong with it is said on one line, and does not show what a value said.
  static let configuration = FuzzTarget("configuration", lengthMaximum: 4_096) { octets in
    var sources = ConfigurationSources()
    let path: String
    do throws(ConfigurationError) {
      try sources.add(file: String(decoding: octets, as: UTF8.self), path: "wake.conf")
      path = try Configuration(
        sources, environment: ["HOME": "/home/nobody"], workingFolder: "/srv"
      ).databasePath
    } catch {
      let text = "\(error)"
      try require(!text.isEmpty && text.unicodeScalars.allSatisfy(\.isOnOneLine), "an error is not one line")
      return
    }
    try require(path.hasPrefix("/"), "the path of the store is relative")
  }
}
