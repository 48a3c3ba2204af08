import HTTPListener
import StrictJSON
import TestSupport
import WakeServer

extension FuzzTarget {
  /// A request of a companion or a core: method and target on the first line, fields up to an empty line, then the body.
  /// `@STACK`, `@DEVICE`, `@DEVICE-TOKEN`, `@HOOK-TOKEN` and `@PAIRING-CODE` stand for real ones. No answer says that
  /// something broke, and each error is told as the contract has it.
  static let request = FuzzTarget("request", lengthMaximum: 4_096) { octets in
    let server = try RequestHarness.shared.get()
    guard let request = RequestText(octets)?.request(server.substitutes) else { return }
    // They wait for a push server: of what they read, everything is read by other routes too.
    guard !request.path.hasSuffix("/doctor"), !request.path.hasSuffix("/test") else { return }
    let response = server.respond(to: request)
    try require((200...599).contains(response.status), "an answer without a status")
    guard response.status >= 400 else { return }
    let problem = try? StrictJSON.parse(response.body)
    let code = problem?["code"]?.string
    try require(code.flatMap(ProblemCode.init)?.status == response.status, "an error is told by another code")
    try require(code != ProblemCode.internalError.rawValue, "a request brings about an error of our own")
    for secret in server.secrets {
      try require(response.body.firstRange(of: Array(secret.utf8)) == nil, "an error shows a token")
    }
  }
}
