import CryptoPrimitives
import Testing

@Suite("Workspaces: what is made once and used for many messages")
struct WorkspaceTests {
  @Test("an agreement under a fresh pair is what the peer agrees on with that pair's public half")
  func freshAgreement() throws {
    let peer = try P256PrivateKey.generate()
    var workspace = try AgreementWorkspace()
    var publicKeys: Set<[UInt8]> = []
    for _ in 0..<500 {
      try workspace.agree(with: peer.publicKey)
      let own = try P256PublicKey(uncompressed: workspace.publicKey)
      #expect(try peer.sharedSecret(with: own) == workspace.secret)
      publicKeys.insert(workspace.publicKey)
    }
    #expect(publicKeys.count == 500)
  }

  @Test("an agreement under a given pair is that of the EVP interface, leading zeros included")
  func givenAgreement() throws {
    let peer = try P256PrivateKey.generate()
    var workspace = try AgreementWorkspace()
    var leadingZeros = 0
    // One in 256 begins with a zero: that none of 5,000 does has a chance of 3 in a thousand million.
    for number in 0..<5_000 where number < 200 || leadingZeros == 0 {
      let pair = try P256PrivateKey.generate()
      try workspace.agree(with: peer.publicKey, as: pair)
      #expect(try pair.sharedSecret(with: peer.publicKey) == workspace.secret)
      #expect(pair.publicKey.uncompressed == workspace.publicKey)
      if workspace.secret[0] == 0 { leadingZeros += 1 }
    }
    #expect(leadingZeros > 0)
  }

  @Test("the scalars 1 and n - 1 agree on the peer's own x coordinate", arguments: [true, false])
  func edges(isLast: Bool) throws {
    let peer = try P256PrivateKey.generate()
    let order = try #require(Hex.decode("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"))
    let scalar = isLast ? order.dropLast() + [0x50] : [UInt8](repeating: 0, count: 31) + [1]
    var workspace = try AgreementWorkspace()
    try workspace.agree(with: peer.publicKey, as: P256PrivateKey(scalar: scalar))
    #expect(workspace.secret == Array(peer.publicKey.uncompressed[1...32]))
  }

  @Test("a secret is gone once it is cleansed")
  func cleansed() throws {
    var workspace = try AgreementWorkspace()
    try workspace.agree(with: P256PrivateKey.generate().publicKey)
    #expect(workspace.secret != [UInt8](repeating: 0, count: 32))
    workspace.cleanse()
    #expect(workspace.secret == [UInt8](repeating: 0, count: 32))
  }

  @Test("HMAC by hand is OpenSSL's for every length of key that is taken, one after the other")
  func hmac() throws {
    var workspace = try HMACWorkspace()
    var tag = [UInt8](repeating: 0, count: 32)
    for keyLength in 0...64 {
      for length in [0, 1, 55, 56, 64, 145, 1_000] {
        let (key, message) = (RandomOctets.system(keyLength), RandomOctets.system(length))
        try workspace.authenticate(message, key: key, into: &tag)
        #expect(tag == HMACSHA256.authenticate(message, key: key), "\(keyLength) and \(length) octets")
        workspace.cleanse()
      }
    }
    #expect(throws: CryptoError.invalidLength) {
      try workspace.authenticate([], key: [UInt8](repeating: 0, count: 65), into: &tag)
    }
    var short = [UInt8](repeating: 0, count: 31)
    #expect(throws: CryptoError.invalidLength) { try workspace.authenticate([], key: [], into: &short) }
  }

  @Test("a record sealed where it stands is what AESGCM seals, one after the other", arguments: [0, 1, 86])
  func seal(start: Int) throws {
    let workspace = try AESGCMWorkspace()
    for length in [1, 15, 16, 17, 170, 4_096] {
      let (key, nonce) = (RandomOctets.system(32), RandomOctets.system(32))
      let (before, content) = (RandomOctets.system(start), RandomOctets.system(length))
      var text = before + content
      try workspace.seal(&text, from: start, key: key, nonce: nonce)
      let sealed = try AESGCM.seal(
        content, key: Array(key.prefix(16)), nonce: Array(nonce.prefix(12)), associatedData: [])
      #expect(text == before + sealed)
      workspace.cleanse()
    }
  }

  @Test(
    "a key, a nonce and a place that are not there are refused, and the text stays as it is",
    arguments: [(15, 12, 0), (16, 11, 0), (16, 12, 3), (16, 12, -1)])
  func refused(keyLength: Int, nonceLength: Int, start: Int) throws {
    let workspace = try AESGCMWorkspace()
    var text: [UInt8] = [1, 2, 3]
    #expect(throws: CryptoError.invalidLength) {
      try workspace.seal(
        &text, from: start, key: [UInt8](repeating: 0, count: keyLength),
        nonce: [UInt8](repeating: 0, count: nonceLength))
    }
    #expect(text == [1, 2, 3])
  }

  @Test("HMAC over shared workspaces is OpenSSL's, from many tasks at once")
  func sharedHMAC() async {
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<64 {
        group.addTask {
          let (key, message) = (RandomOctets.system(number % 65), RandomOctets.system(number * 7))
          return (0..<50).allSatisfy { _ in
            HMACWorkspaces.authenticate(message, key: key) == HMACSHA256.authenticate(message, key: key)
          }
        }
      }
      for await isEqual in group { #expect(isEqual) }
    }
  }

  @Test("what AESGCM sealed is opened, one after the other, and one bit changed is refused in between")
  func open() throws {
    let key = RandomOctets.system(32)
    let opener = try AESGCMOpener(key: key)
    for length in [0, 1, 15, 16, 17, 87, 4_096] {
      for associatedData in [[], RandomOctets.system(1), RandomOctets.system(300)] {
        let (nonce, plaintext) = (RandomOctets.system(12), RandomOctets.system(length))
        let sealed =
          nonce + (try AESGCM.seal(plaintext, key: key, nonce: nonce, associatedData: associatedData))
        #expect(try opener.open(sealed, associatedData: associatedData) == plaintext)
        // Each octet of the nonce, the first of the ciphertext or the tag, and the last.
        for index in Array(0...12) + [sealed.count - 1] {
          var changed = sealed
          changed[index] ^= 1
          Self.refuse(changed, associatedData, opener)
        }
        Self.refuse(sealed, associatedData + [0], opener)
        Self.refuse(sealed.dropLast(), associatedData, opener)
        #expect(try opener.open(sealed, associatedData: associatedData) == plaintext)
      }
    }
    for length in 0..<28 { Self.refuse([UInt8](repeating: 0, count: length), [], opener) }
  }

  private static func refuse(
    _ sealed: [UInt8], _ associatedData: [UInt8], _ opener: borrowing AESGCMOpener
  ) {
    #expect(Self.failure(sealed, associatedData, opener) == .authenticationFailed)
  }

  private static func failure(
    _ sealed: [UInt8], _ associatedData: [UInt8], _ opener: borrowing AESGCMOpener
  ) -> CryptoError? {
    do throws(CryptoError) {
      _ = try opener.open(sealed, associatedData: associatedData)
      return nil
    } catch {
      return error
    }
  }

  @Test("a key of another length opens nothing", arguments: [0, 16, 31, 33])
  func keyLength(length: Int) {
    #expect(throws: CryptoError.invalidLength) { _ = try AESGCMOpener(key: RandomOctets.system(length)) }
  }
}
