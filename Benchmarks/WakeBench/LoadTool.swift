import Foundation

/// `h2load`, Debian's load generator of nghttp2: what a sink takes at the most from one thread that only sends.
enum LoadTool {
  /// Requests a second, `count` of them with `body`, over HTTP/1.1 or HTTP/2.
  static func perSecond(
    _ url: String, body: [UInt8], connections: Int, count: Int, http2: Bool = false
  ) throws -> Double {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("wake-body-\(UUID().uuidString)")
    try Data(body).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var arguments = [
      "h2load", "-n", "\(count)", "-c", "\(http2 ? 1 : connections)", "-t", "1", "-d", file.path,
      "-H", "TTL: 86400", "-H", "Content-Encoding: aes128gcm",
    ]
    arguments += http2 ? ["-m", "\(connections)"] : ["--h1"]
    let output = try run(arguments + [url])
    // "finished in 2.27s, 44052.86 req/s, 5.13MB/s" and "requests: 100000 total, … 100000 succeeded, …"
    guard let rate = output.firstMatch(of: /finished in .*, ([0-9.]+) req\/s/).flatMap({ Double($0.1) }),
      output.contains("\(count) succeeded")
    else {
      throw ServiceProcess.Failed(
        description: "h2load did not measure without failures: \(output.suffix(400))")
    }
    return rate
  }

  /// What the program wrote to its standard output.
  static func run(_ arguments: [String], environment: [String: String] = [:], input: [UInt8] = []) throws
    -> String
  {
    let process = Process()
    let (output, standardInput) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    process.standardInput = standardInput
    try process.run()
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input))
    try standardInput.fileHandleForWriting.close()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
