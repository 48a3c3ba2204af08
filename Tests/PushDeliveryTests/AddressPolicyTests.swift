import PushDelivery
import TestSupport
import Testing

@Suite("The address policy: what an endpoint's text may be")
struct AddressPolicyTests {
  @Test("the table of hostile and harmless endpoints is all there")
  func complete() {
    #expect(SSRFVectors.all.urls.count == 122)
    #expect(SSRFVectors.all.addresses.count == 116)
  }

  @Test("each endpoint of the table gets its verdict from the text alone", arguments: SSRFVectors.all.urls)
  func endpoints(row: SSRFVectors.Row) {
    let policy = AddressPolicy()
    if row.passesByText {
      #expect(throws: Never.self) { try policy.destination(from: row.url) }
    } else {
      #expect(throws: EndpointRefusal.self) { try policy.destination(from: row.url) }
    }
  }

  @Test("each address of the table gets its verdict", arguments: SSRFVectors.all.addresses)
  func addresses(row: SSRFVectors.AddressRow) throws {
    let policy = AddressPolicy()
    let destination = try policy.destination(from: "https://push.example.net/")
    let address = try #require(IPAddress(parsing: row.address))
    #expect(policy.permits(address, for: destination) == (row.expect == "allow"))
    // As a literal the address has the same verdict.
    let literal = address.isIPv6 ? "[\(address)]" : "\(address)"
    #expect(policy.accepts("https://\(literal)/x") == (row.expect == "allow"))
  }

  @Test(
    "each refusal says what the matter is",
    arguments: [
      ("", EndpointRefusal.empty),
      ("https://push.example.net/" + String(repeating: "a", count: 976), .tooLong),
      ("https://bücher.example/", .notASCII), ("https://push.example.net/\u{1f}", .unprintable),
      ("https://push.example.net/a b", .unprintable), ("https:\\\\push.example.net", .unprintable),
      ("push.example.net/x", .scheme), ("https:/push.example.net/x", .scheme),
      ("https:///push.example.net/x", .scheme), ("https://", .scheme), ("https://?x", .scheme),
      ("httpss://push.example.net/", .scheme), ("ftp://push.example.net/", .scheme),
      ("http://push.example.net/", .plainHTTP), ("https://u@push.example.net/", .userinfo),
      ("https://u:p@push.example.net/", .userinfo), ("https://@push.example.net/", .userinfo),
      ("https://push.example.net/#f", .fragment), ("https://push.example.net#", .fragment),
      ("https://push..example.net/", .host), ("https://.example.net/", .host), ("https://./", .host),
      ("https://push.example.net../", .host), ("https://-a.example/", .host), ("https://a-.example/", .host),
      ("https://a_b.example/", .host), ("https://a%2eb.example/", .host), ("https://a:b:c/", .host),
      ("https://[::1/", .host), ("https://[1.2.3.4]/", .host), ("https://[::1]x/", .host),
      ("https://[fe80::1%25lo]/", .host), ("https://::1/", .host),
      ("https://\(String(repeating: "a", count: 64)).example/", .host),
      ("https://\(String(repeating: "abc.", count: 63))ab/", .host),
      ("https://0x08080808/", .unusualAddress), ("https://8.8.2056/", .unusualAddress),
      ("https://08.8.8.8/", .unusualAddress), ("https://134744072/", .unusualAddress),
      ("https://8.8.8.8./", .unusualAddress), ("https://a.0x/", .unusualAddress),
      ("https://1.2.3.4.5/", .unusualAddress), ("https://push.example.net:/", .malformedPort),
      ("https://push.example.net:0/", .malformedPort), ("https://push.example.net:0443/", .malformedPort),
      ("https://push.example.net:65536/", .malformedPort), ("https://push.example.net:4a3/", .malformedPort),
      ("https://push.example.net:+443/", .malformedPort),
      ("https://push.example.net:99999999999999999999/", .malformedPort),
      ("https://push.example.net:80/", .lowPort), ("https://push.example.net:1023/", .lowPort),
      ("https://localhost/", .localName), ("https://LocalHost./", .localName), ("https://ntfy/", .localName),
      ("https://nas.local/", .localName), ("https://a.b.localhost:8443/", .localName),
      ("https://x.onion/", .localName), ("https://10.1.2.3/", .address(kind: "private use, RFC 1918")),
      ("https://[fd00::1]/", .address(kind: "unique-local, RFC 4193")),
      ("https://[4000::1]/", .address(kind: "outside the global unicast space, RFC 4291 §2.4")),
    ] as [(String, EndpointRefusal)])
  func refusals(url: String, refusal: EndpointRefusal) {
    #expect(throws: refusal) { try AddressPolicy().destination(from: url) }
    #expect(refusal.detail.hasSuffix("."))
    if url.contains("example.net") { #expect(!refusal.detail.contains("example.net")) }
  }

  @Test(
    "an endpoint leads to one origin, and its target goes out as it stands",
    arguments: [
      ("https://h.example:8443/a?b=c", "https://h.example:8443", "/a?b=c"),
      ("https://h.example:443/a", "https://h.example", "/a"),
      ("HTTPS://H.Example/a", "https://h.example", "/a"),
      ("https://h.example./a", "https://h.example", "/a"), ("https://h.example", "https://h.example", "/"),
      ("https://h.example?q", "https://h.example", "/?q"), ("https://h.example?", "https://h.example", "/?"),
      ("https://h.example/?", "https://h.example", "/?"),
      ("https://h.example/a/../b/./c//d", "https://h.example", "/a/../b/./c//d"),
      (
        "https://h.example/%c3%A9%2f;x=1?a=%00&b=http://u@v", "https://h.example",
        "/%c3%A9%2f;x=1?a=%00&b=http://u@v"
      ),
      ("https://8.8.8.8?@127.0.0.1/x", "https://8.8.8.8", "/?@127.0.0.1/x"),
      ("https://[2606:4700:4700:0:0::1111]:8443/x", "https://[2606:4700:4700::1111]:8443", "/x"),
      ("https://xn--bcher-kva.example/x", "https://xn--bcher-kva.example", "/x"),
      ("https://h.example/{a}|\"<b>^`", "https://h.example", "/{a}|\"<b>^`"),
    ])
  func origins(url: String, origin: String, target: String) throws {
    let destination = try AddressPolicy().destination(from: url)
    #expect(destination.origin == origin)
    #expect(destination.target == target)
    #expect("\(destination)" == origin)
  }

  @Test("a thousand octets are accepted and one more is not")
  func length() throws {
    let url = "https://push.example.net/" + String(repeating: "a", count: 975)
    #expect(url.utf8.count == 1_000)
    #expect(try AddressPolicy().destination(from: url).target.utf8.count == 976)
    #expect(throws: EndpointRefusal.tooLong) { try AddressPolicy().destination(from: url + "a") }
  }
}

@Suite("The address policy: what the operator opens")
struct AddressPolicyAllowTests {
  private func policy(_ allow: String) throws -> AddressPolicy {
    AddressPolicy(allow: try PushAllowList(parsing: allow))
  }

  @Test(
    "a named origin is open, and nothing beside it",
    arguments: [
      ("http://127.0.0.1:8080", "http://127.0.0.1:8080/x", true),
      ("http://127.0.0.1:8080", "http://127.0.0.1:8081/x", false),
      ("http://127.0.0.1:8080", "https://127.0.0.1:8080/x", false),
      ("http://127.0.0.1:8080", "http://127.1:8080/x", false),
      ("http://127.0.0.1:8080", "http://127.0.0.1:8080@evil.example/x", false),
      ("http://127.0.0.1:8080", "http://127.0.0.1:8080.evil.example/x", false),
      ("https://ntfy.lan", "https://ntfy.lan:443/x", true),
      ("https://NTFY.lan.:443/", "https://ntfy.LAN/x", true),
      ("https://ntfy.lan", "http://ntfy.lan/x", false), ("https://ntfy", "https://ntfy/x", true),
      ("http://localhost", "http://localhost:80/x", true),
      ("https://localhost:444", "https://localhost:444/", true),
      ("https://a.example:25", "https://a.example:25/", true), ("http://[::1]:80", "http://[0:0::1]/x", true),
      ("http://127.0.0.1:8080", "http://127.0.0.1:8080/x#f", false),
      ("http://127.0.0.1:8080", "http://u@127.0.0.1:8080/x", false),
    ])
  func origins(allow: String, url: String, accepted: Bool) throws {
    let policy = try policy(allow)
    #expect(policy.accepts(url) == accepted)
  }

  @Test("the addresses of a named origin are not judged, those of others are")
  func namedAddresses() throws {
    let policy = try policy("https://ntfy.lan")
    let address = try #require(IPAddress(parsing: "10.0.0.5"))
    #expect(policy.permits(address, for: try policy.destination(from: "https://ntfy.lan/x")))
    #expect(!policy.permits(address, for: try policy.destination(from: "https://ntfy.lan:8443/x")))
    #expect(!policy.permits(address, for: try policy.destination(from: "https://other.lan/x")))
  }

  @Test(
    "a block opens literal addresses in it",
    arguments: [
      ("192.168.1.0/24", "https://192.168.1.7/x", true), ("192.168.1.0/24", "http://192.168.1.7:80/x", true),
      ("192.168.1.0/24", "https://192.168.2.7/x", false), ("192.168.1.0/24", "http://8.8.8.8/x", false),
      ("192.168.1.0/24", "https://8.8.8.8/x", true), ("fd00::/8", "http://[fd00::1]:25/x", true),
      ("fd00::/8", "https://[fc00::1]/x", false), ("10.0.0.0/8", "https://[::ffff:10.0.0.1]/x", false),
      ("127.0.0.0/8", "http://127.1/x", false),
    ])
  func literals(allow: String, url: String, accepted: Bool) throws {
    let policy = try policy(allow)
    #expect(policy.accepts(url) == accepted)
  }

  @Test(
    "with a block, names that need opening pass by text and are held to the block later",
    arguments: [
      ("192.168.1.0/24", "http://ntfy.lan/x", "192.168.1.7", true),
      ("192.168.1.0/24", "http://ntfy.lan/x", "8.8.8.8", false),
      ("192.168.1.0/24", "https://ntfy/x", "192.168.1.7", true),
      ("192.168.1.0/24", "https://ntfy/x", "8.8.8.8", false),
      ("192.168.1.0/24", "https://a.example:25/x", "8.8.8.8", false),
      ("192.168.1.0/24", "https://a.example/x", "8.8.8.8", true),
      ("192.168.1.0/24", "https://a.example/x", "192.168.1.7", true),
      ("192.168.1.0/24", "https://a.example/x", "192.168.2.7", false),
      ("127.0.0.0/8", "http://localhost:8080/x", "127.0.0.1", true),
      ("127.0.0.0/8", "http://localhost:8080/x", "::1", false),
    ])
  func names(allow: String, url: String, address: String, permitted: Bool) throws {
    let policy = try policy(allow)
    let destination = try policy.destination(from: url)
    let address = try #require(IPAddress(parsing: address))
    #expect(policy.permits(address, for: destination) == permitted)
  }

  @Test("localhost needs a block with a loopback address")
  func localhost() throws {
    let policy = try policy("192.168.1.0/24")
    #expect(throws: EndpointRefusal.plainHTTP) { try policy.destination(from: "http://localhost:8080/") }
    #expect(throws: EndpointRefusal.localName) { try policy.destination(from: "https://localhost/") }
  }

  @Test("where the service itself listens nobody goes, not even by name")
  func ownListeners() throws {
    let address = try #require(IPAddress(parsing: "93.184.215.14"))
    let own = OwnListeners([.init(host: "0.0.0.0", port: 443), .init(host: "::", port: 8080)]) {
      $0 == address
    }
    let policy = AddressPolicy(
      allow: try PushAllowList(parsing: "https://me.example, 0.0.0.0/0"), ownListeners: own)
    let other = try policy.destination(from: "https://self.example/")
    #expect(policy.refusal(of: address, for: other) == .ownListener)
    let port = try policy.destination(from: "https://self.example:8443/")
    #expect(policy.permits(address, for: port))
    let named = try policy.destination(from: "https://me.example/")
    #expect(policy.refusal(of: address, for: named) == .ownListener)
  }

  @Test(
    "a listener is reached at its own address, or at all of this machine, in every form of them",
    arguments: [
      ("0.0.0.0", "127.0.0.1", true), ("0.0.0.0", "127.77.0.1", true), ("0.0.0.0", "0.0.0.0", true),
      ("::", "127.0.0.1", true), ("::", "::", true), ("::", "::ffff:127.0.0.1", true),
      ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "0.0.0.0", true),
      ("127.0.0.1", "::ffff:127.0.0.1", true), ("::ffff:127.0.0.1", "127.0.0.1", true),
      // Another program may listen on the same port of another address of this machine.
      ("127.0.0.1", "127.0.0.2", false), ("127.0.0.1", "192.0.2.77", false), ("0.0.0.0", "192.0.2.77", false),
      ("::", "2001:db8::77", false), ("127.0.0.1", "::1", false), ("fe80::1%eth0", "127.0.0.1", true),
    ])
  func places(host: String, address: String, isOwn: Bool) throws {
    let policy = AddressPolicy(
      allow: try PushAllowList(parsing: "0.0.0.0/0, ::/0"),
      ownListeners: OwnListeners([.init(host: host, port: 8080)]))
    let destination = try policy.destination(from: "http://self.example:8080/")
    let address = try #require(IPAddress(parsing: address))
    #expect(policy.refusal(of: address, for: destination) == (isOwn ? .ownListener : nil))
  }

  @Test(
    "a list is read with its spaces",
    arguments: [
      ("", 0, 0), ("  ", 0, 0), ("https://a.example", 1, 0), (" https://a.example , 10.0.0.0/8\n", 1, 1),
      ("http://127.0.0.1:8080,https://ntfy.lan,fd00::/8,0.0.0.0/0,::/0,192.168.1.5/32", 2, 4),
      ("https://A.example:443/,https://a.example", 1, 0),
    ])
  func lists(text: String, origins: Int, blocks: Int) throws {
    let list = try PushAllowList(parsing: text)
    #expect(list.origins.count == origins)
    #expect(list.blocks.count == blocks)
  }

  @Test(
    "a wrong entry is named by its position and its fault",
    arguments: [
      ("https://a.example,", 2, "empty"), (",https://a.example", 1, "empty"), ("ntfy.lan", 1, "neither"),
      ("10.0.0.0/8,ntfy.lan:80", 2, "neither"), ("https://a.example/x", 1, "no path"),
      ("https://a.example/?q", 1, "no path"), ("https://u:secret@a.example", 1, "user name"),
      ("ftp://a.example", 1, "https://"), ("10.0.0.1", 1, "10.0.0.1/32"), ("::1", 1, "::1/128"),
      ("10.0.0.0/33", 1, "10.0.0.0/32"), ("10.0.0.0/-1", 1, "prefix length"),
      ("10.0.0.0/8/8", 1, "prefix length"),
      ("10.0.0.0/", 1, "prefix length"), ("10.0.0.5/8", 1, "write 10.0.0.0/8"),
      ("fd00::1/8", 1, "write fd00::/8"),
      ("https://*.example", 1, "not an origin"), ("https://a.example;https://b.example", 1, "not an origin"),
      ("10.0/8", 1, "neither"), ("https://0x7f.1", 1, "four decimal numbers"),
    ])
  func wrong(text: String, position: Int, words: String) {
    do {
      _ = try PushAllowList(parsing: text)
      Issue.record("accepted")
    } catch {
      #expect(error.position == position)
      #expect(error.problem.contains(words))
      #expect(!error.description.contains("secret"))
      #expect(error.description.hasPrefix("entry \(position) of WAKE_PUSH_ALLOW: "))
    }
  }
}

extension AddressPolicy {
  fileprivate func accepts(_ url: String) -> Bool { (try? destination(from: url)) != nil }
}

@Suite("Addresses and blocks of them")
struct IPAddressTests {
  @Test(
    "text and octets are two forms of one address",
    arguments: [
      ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("::", "::"),
      ("0:0:0:0:0:0:0:1", "::1"),
      ("2001:DB8::0:1", "2001:db8::1"), ("::ffff:1.2.3.4", "::ffff:1.2.3.4"),
      ("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ])
  func forms(text: String, canonical: String) throws {
    let address = try #require(IPAddress(parsing: text))
    #expect(address.description == canonical)
    #expect(IPAddress(octets: address.octets) == address)
  }

  @Test(
    "what is not plainly an address is none",
    arguments: [
      "", "1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "0x1.2.3.4", "1.2.3.256", "1.2.3.4 ", " 1.2.3.4",
      "1.2.3.4\0",
      ":", ":::", "1::2::3", "[::1]", "fe80::1%lo", "::g", "1:2:3:4:5:6:7:8:9", "１.2.3.4", "1.2.3.４",
    ])
  func refused(text: String) { #expect(IPAddress(parsing: text) == nil) }

  @Test(
    "a block has its addresses, to the last bit",
    arguments: [
      ("10.0.0.0", 8, "10.255.255.255", true), ("10.0.0.0", 8, "11.0.0.0", false),
      ("0.0.0.0", 0, "9.9.9.9", true),
      ("1.2.3.4", 32, "1.2.3.4", true), ("1.2.3.4", 32, "1.2.3.5", false), ("::", 0, "ffff::", true),
      ("::", 0, "1.2.3.4", false), ("0.0.0.0", 0, "::", false), ("2001:db8::", 32, "2001:db8:ffff::1", true),
      ("2001:db8::", 32, "2001:db9::", false), ("::ffff:0:0", 96, "::ffff:1.2.3.4", true),
      ("::ffff:0:0", 96, "1.2.3.4", false), ("2001:db8::", 64, "2001:db8::ffff:0:0:1", true),
      ("2001:db8::", 64, "2001:db8:0:1::", false), ("2001:db8::1", 128, "2001:db8::1", true),
      ("2001:db8::1", 128, "2001:db8::2", false), ("2001:db8::", 65, "2001:db8::8000:0:0:0", false),
    ])
  func blocks(first: String, length: Int, address: String, inside: Bool) throws {
    let first = try #require(IPAddress(parsing: first))
    let block = try #require(AddressBlock(containing: first, prefixLength: length))
    #expect(block.contains(try #require(IPAddress(parsing: address))) == inside)
  }
}
