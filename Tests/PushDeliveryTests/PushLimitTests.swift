import Testing

@testable import PushDelivery

@Suite("The limits of an attempt")
struct PushLimitTests {
  @Test("a connection is made within 5 s, an attempt takes 10 s in all, and 64 KiB are read")
  func limits() {
    let configuration = PushSenderConfiguration(nowMilliseconds: { 0 })
    #expect(configuration.connectTimeoutMilliseconds == 5_000)
    #expect(configuration.totalTimeoutMilliseconds == 10_000)
    #expect(PushResponse.lengthMaximum == 65_536)
  }

  @Test("head and body count together")
  func together() {
    var response = PushResponse()
    func head(_ count: Int) -> Bool {
      let line = Array("X: ".utf8) + [UInt8](repeating: 0x61, count: count - 5) + [0x0d, 0x0a]
      return line.withUnsafeBytes { response.takeHeaderLine($0) }
    }
    func body(_ count: Int) -> Bool {
      [UInt8](repeating: 0x61, count: count).withUnsafeBytes { response.takeBody($0) }
    }
    #expect(head(40_000) && body(25_536))
    #expect(!body(1))
  }
}
