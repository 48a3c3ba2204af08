import HTTPListener
import Testing

@Suite("Addresses to listen on")
struct ListenAddressTests {
  @Test("what can be written can be read, and is written as it was read")
  func reads() throws {
    let all: [(String, ListenAddress)] = [
      ("127.0.0.1:8080", .tcp(host: "127.0.0.1", port: 8080)),
      ("localhost:0", .tcp(host: "localhost", port: 0)),
      ("[::1]:65535", .tcp(host: "::1", port: 65_535)),
      ("unix:/run/wake.sock", .unix(path: "/run/wake.sock")),
      ("unix:/a b", .unix(path: "/a b")),
    ]
    for (text, address) in all {
      #expect(try ListenAddress(parsing: text) == address)
      #expect(address.description == text)
    }
  }

  @Test(
    "anything else is refused with a reason",
    arguments: [
      "", "8080", "host", ":8080", "host:", "host:x", "host:65536", "host:-1", "host:+1", "host:000080",
      "::1:8080",
      "[::1]", "[::1]8080", "[host]:80", "[]:80", "unix:", "unix:relative", "unix:/\u{0}",
      "unix:/" + String(repeating: "a", count: 107), " 127.0.0.1:80", "127.0.0.1:80 ", "127.0.0.1:80\n",
      "host:８０",
    ])
  func refuses(_ text: String) {
    #expect(throws: HTTPListenerError.self) { try ListenAddress(parsing: text) }
  }
}
