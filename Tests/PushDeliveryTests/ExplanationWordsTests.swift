import PushDelivery
import Testing

@Suite("What each explanation says is the matter, and what it has people type")
struct ExplanationWordsTests {
  private static let origin = "https://push.example:8443"

  /// Words of the cause and of the fix, by which a row is told from its neighbours.
  struct Row: Sendable, CustomTestStringConvertible {
    let status: Int?
    let reason: String
    let cause: String
    let fix: String

    init(_ status: Int?, _ reason: String, _ cause: String, _ fix: String) {
      (self.status, self.reason, self.cause, self.fix) = (status, reason, cause, fix)
    }

    var testDescription: String { reason }
  }

  private static func explain(
    _ outcome: PushOutcome, _ status: Int?, _ reason: String?, from origin: String = origin
  ) throws -> Explanation {
    try #require(
      Explanation.of(outcome: outcome, status: status, reason: reason, pushServer: origin), "\(reason ?? "")")
  }

  private static let curl = "curl -v https://push.example:8443/"
  private static let setClock = "timedatectl set-ntp true"

  private static let networkWords: [NetworkReason: (cause: String, fix: String)] = [
    .closedWithoutAnswer: (
      "closed the connection", "scheme and port are right: try from this machine: \(curl)"
    ),
    .noConnection: (
      "drops the packets", "the firewalls on both machines and between: try from this machine: \(curl)"
    ),
    .noAnswer: ("did not answer in time", "overloaded or hung"),
    .queueFull: ("Too many wakes", "WAKE_WINDOW"), .namesCrowded: ("Too many wakes", "WAKE_WINDOW"),
    .silentQueueFull: ("too many wakes wait for it", curl),
    .foundGone: ("Another wake found", "register again"),
    .notHTTP: ("does not speak HTTP", "https where it has TLS"),
    .tooMuch: ("far more than", "no other program"),
    .notSentBeforeStop: ("was stopping", "gets a wake after the start"),
    .stoppedUnderWay: ("may have arrived", "no wake is sent twice"),
    .connectionRefused: (
      "Nothing listens at \(origin)",
      "Start the push server, or correct its port: try from this machine: \(curl)"
    ),
    .networkUnreachable: ("no way from this machine", "ip route"),
    .notConnected: ("No connection to \(origin) could be made", curl),
    .certificateOtherName: ("is for another name", "(\(curl) shows it)"),
    .certificateNotYetValid: ("not valid yet", setClock),
    .certificateExpired: (
      "has expired", "(\(curl) shows it). If it is valid, set this machine's clock: \(setClock)"
    ),
    .certificateSelfSigned: ("self-signed", "set WAKE_PUSH_CA_FILE=/path/push.pem and restart"),
    .certificateUnknownAuthority: ("authority that this machine does not trust", "whole chain"),
    .certificateRevoked: ("was revoked", "Get a new one there"),
    .certificateUntrusted: ("is not trusted", curl),
    .notEncrypted: ("could not be encrypted", "register again"),
    .authoritiesUnreadable: ("WAKE_PUSH_CA_FILE", "PEM form"),
  ]

  @Test(
    "every reason for which no answer came names its cause and its fix", arguments: NetworkReason.allCases)
  func network(reason: NetworkReason) throws {
    let words = try #require(Self.networkWords[reason])
    let explanation = try Self.explain(.network, nil, reason.rawValue)
    #expect(explanation.cause.contains(words.cause), "\(explanation)")
    #expect(explanation.fix.contains(words.fix), "\(explanation)")
  }

  private static let nameWords: [(NameResolutionError, String, String)] = [
    (.noSuchName, "know no address for the name in \(origin)", "spelling and its DNS record"),
    (.noAnswer, "No name server answered", "resolvectl status"),
    (.failed, "no usable answer", "/etc/resolv.conf"), (.timedOut, "too slow", "/etc/resolv.conf"),
  ]

  @Test("every fault of name resolution names its cause and its fix")
  func names() throws {
    #expect(Self.nameWords.map(\.0) == NameResolutionError.allCases)
    for (error, cause, fix) in Self.nameWords {
      let explanation = try Self.explain(.network, nil, error.detail)
      #expect(explanation.cause.contains(cause) && explanation.fix.contains(fix), "\(explanation)")
    }
  }

  private static let again = "Open the app on the phone and have it register again"
  private static let ours = "report it with the output of wake attempts"
  private static let passes = "it passes by itself"
  private static let exempt =
    "On an ntfy of your own name this machine in visitor-request-limit-exempt-hosts (server.yml) and restart it."

  static let codes: [Row] = [
    ntfy(40101, "asks for a login", "write-only"), ntfy(40301, "lets nobody write", "write-only"),
    ntfy(40401, "no such page", "base-url"), ntfy(40501, "take a POST", "register again"),
    ntfy(41301, "attachment", "midnight UTC"), ntfy(42901, "too many requests", exempt),
    ntfy(42902, "e-mails", "midnight UTC"), ntfy(42903, "too many subscriptions", exempt),
    ntfy(42904, "overall limit", exempt), ntfy(42905, "day's volume", "midnight UTC"),
    ntfy(42908, "day's messages", "midnight UTC"), ntfy(42909, "failed logins", exempt),
    ntfy(50001, "fault of its own", "journalctl -u ntfy"),
    ntfy(50701, "No phone has listened", "battery saving"),
    autopush(400, 101, "keys of its encryption", ours),
    autopush(404, 102, "does not know this endpoint", again),
    autopush(410, 103, "has ended", again), autopush(413, 104, "too large for the way", "256 octets"),
    autopush(410, 105, "has ended", again), autopush(410, 106, "has ended", again),
    autopush(400, 108, "know the way to this phone", again),
    autopush(401, 109, "VAPID token", "Check this machine's clock (timedatectl), and that WAKE_CONTACT"),
    autopush(400, 110, "take the encryption", ours), autopush(400, 111, "without a TTL", ours),
    autopush(400, 112, "take the TTL", "Take WAKE_TTL out"), autopush(400, 113, "Topic", ours),
    autopush(400, 114, "Urgency", ours), autopush(503, 201, "patience", passes),
    autopush(503, 202, "patience", passes), autopush(502, 901, "phone's own push service", passes),
    autopush(502, 902, "phone's own push service", passes),
    autopush(502, 903, "phone's own push service", passes),
    autopush(500, 999, "fault of its own", passes),
    apple(403, "BadJwtToken", "VAPID token", "Set WAKE_CONTACT to a mailto: or https: address"),
    apple(403, "BadAuthorizationHeader", "VAPID token or key", "Check this machine's clock (timedatectl)"),
    apple(403, "ExpiredProviderToken", "expired", setClock),
    apple(403, "ExpiredJwtToken", "expired", setClock),
    apple(400, "VapidPkHashMismatch", "another VAPID key", "The app has to register again"),
    apple(400, "BadTtl", "TTL", "Take WAKE_TTL out"), apple(400, "BadUrgency", "Urgency", ours),
    apple(400, "BadWebPushTopic", "Topic", ours), apple(400, "BadWebPushRequest", "form of the wake", ours),
    apple(400, "BadPath", "know this endpoint", again),
    apple(400, "BadDeviceToken", "know this endpoint", again),
    apple(405, "MethodNotAllowed", "POST", again), apple(413, "PayloadTooLarge", "too large", ours),
    apple(410, "Unregistered", "has ended", again), apple(429, "TooManyRequests", "too many wakes", passes),
    apple(500, "InternalServerError", "busy", passes), apple(503, "ServiceUnavailable", "busy", passes),
    apple(503, "Shutdown", "busy", passes),
  ]

  private static func ntfy(_ code: Int, _ cause: String, _ fix: String) -> Row {
    Row(code / 100, #"{"code":\#(code),"http":\#(code / 100),"error":"its words"}"#, cause, fix)
  }

  private static func autopush(_ status: Int, _ errno: Int, _ cause: String, _ fix: String) -> Row {
    Row(status, #"{"code":\#(status),"errno":\#(errno),"error":"Its","message":"words"}"#, cause, fix)
  }

  private static func apple(_ status: Int, _ reason: String, _ cause: String, _ fix: String) -> Row {
    Row(status, #"{"reason":"\#(reason)"}"#, cause, fix)
  }

  @Test("every code of ntfy, autopush and Apple names its cause and its fix", arguments: codes)
  func code(row: Row) throws {
    let explanation = try Self.explain(.rejected, row.status, row.reason)
    #expect(explanation.cause.contains(row.cause), "\(explanation)")
    #expect(explanation.fix.contains(row.fix), "\(explanation)")
  }

  static let typed: [Row] = [
    Row(401, #"{"code":40101}"#, "", "On the ntfy server run: ntfy access everyone 'up*' write-only"),
    Row(403, #"{"code":40301}"#, "", "On the ntfy server run: ntfy access everyone 'up*' write-only"),
    Row(
      429, #"{"code":42901}"#, "", "\(exempt) On ntfy.sh wait: it takes one more wake every 5 seconds."),
    Row(403, #"{"reason":"ExpiredJwtToken"}"#, "", "Set this machine's clock: timedatectl set-ntp true"),
    Row(
      nil, NetworkReason.certificateNotYetValid.rawValue, "",
      "Set this machine's clock: timedatectl set-ntp true"),
    Row(nil, EndpointRefusal.plainHTTP.detail, "", allow),
    Row(nil, EndpointRefusal.lowPort.detail, "", allow),
    Row(nil, EndpointRefusal.localName.detail, "", allow),
    Row(nil, EndpointRefusal.address(kind: "loopback").detail, "", allow),
  ]
  private static let allow =
    "If it is a push server of your own, add https://push.example:8443 to WAKE_PUSH_ALLOW and restart."

  @Test("what people are to type stands there to the letter, and nothing behind it", arguments: typed)
  func commands(row: Row) throws {
    #expect(try Self.explain(row.status == nil ? .network : .refused, row.status, row.reason).fix == row.fix)
  }

  static let peers: [(String, String)] = [
    ("https://push.example:8443", "push.example:8443"), ("https://push.example", "push.example:443"),
    ("https://[2001:db8::1]", "[2001:db8::1]:443"), ("https://[2001:db8::1]:8443", "[2001:db8::1]:8443"),
  ]

  @Test("how a certificate of one's own comes to be trusted stands there to the letter", arguments: peers)
  func certificates(origin: String, peer: String) throws {
    for reason in [NetworkReason.certificateSelfSigned, .certificateUnknownAuthority] {
      let fix = try Self.explain(.network, nil, reason.rawValue, from: origin).fix
      #expect(
        fix.contains("`openssl s_client -connect \(peer) -showcerts </dev/null | openssl x509 > push.pem`."),
        "\(fix)")
      #expect(fix.contains("`openssl x509 -in push.pem -noout -sha256 -fingerprint`"), "\(fix)")
      #expect(fix.contains("Then set WAKE_PUSH_CA_FILE=/path/push.pem and restart."), "\(fix)")
      #expect(fix.contains("your own, "), "\(fix)")
    }
  }

  private static let register = "The app has to register again: open it on the phone, or pair it anew"
  private static let clock = "Check this machine's clock (timedatectl), and that WAKE_CONTACT"
  private static let leave = "Give everybody who knows an endpoint leave to post to it"

  static let refusals: [Row] = [
    Row(403, "the VAPID key is not the one of the subscription", "", register),
    Row(403, "VAPID public key mismatch", "", register), Row(401, "key mismatch", "", register),
    Row(403, "the key does not match", "", register), Row(403, "VAPID: does not match", "", register),
    Row(400, "Invalid application server key", "", register),
    Row(401, #"{"code":401,"errno":109,"message":"Public key mismatch"}"#, "", register),
    Row(403, "VAPID token has expired", "", clock), Row(403, "VAPID key: the token has expired", "", clock),
    Row(403, "the aud claim of the JWT does not match", "", clock), Row(403, "invalid JWT", "", clock),
    Row(403, "expiry: has passed", "", clock), Row(403, "a malformed Crypto-Key field", "", clock),
    Row(401, #"{"code":401,"errno":109,"message":"invalid token"}"#, "", clock),
    Row(401, #"{"code":401,"errno":109,"message":"the exp claim of the key"}"#, "", clock),
    Row(403, "an API key is needed", "", leave), Row(403, "your subscription has expired", "", leave),
    Row(403, "forbidden", "", leave),
  ]

  @Test(
    "a refusal that speaks of the key has people register anew first, one of the token look at the clock",
    arguments: refusals)
  func refused(row: Row) throws {
    let fix = try Self.explain(.refused, row.status, row.reason).fix
    #expect(fix.hasPrefix(row.fix), "\(fix)")
  }
}
