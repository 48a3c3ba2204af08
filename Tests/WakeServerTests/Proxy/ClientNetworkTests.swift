import Testing

@testable import WakeServer

@Suite("Whom limits by address are for")
struct ClientNetworkTests {
  @Test(
    "an IPv4 address however it is written, and the /64 of an IPv6 one",
    arguments: [
      ("192.0.2.1", "192.0.2.1/32"), ("::ffff:192.0.2.1", "192.0.2.1/32"),
      ("2001:db8:0:1::1", "2001:db8:0:1::/64"), ("2001:db8:0:1:ffff::", "2001:db8:0:1::/64"),
      ("2001:db8:0:2::1", "2001:db8:0:2::/64"), ("elsewhere", "elsewhere"),
    ])
  func name(address: String, network: String) {
    #expect(ClientNetwork.name(of: address) == network)
  }
}
