internal import CryptoPrimitives
internal import StrictJSON

/// What a backup says of itself: one line of JSON in its second line.
struct BackupManifest: Equatable {
  /// A run of octets behind the manifest.
  struct Part: Equatable {
    enum Name: String {
      /// A whole SQLite database.
      case store
      /// The service key, sealed under a passphrase.
      case serviceKey = "service-key"
    }

    let name: Name
    let size: Int64
    /// SHA-256.
    let digest: [UInt8]
    /// How the key is sealed; of the service key alone.
    let sealing: SealedServiceKey.Sealing?
  }

  let contents: BackupContents
  let parts: [Part]

  /// The part of that name.
  func part(_ name: Part.Name) -> Part? { parts.first { $0.name == name } }

  /// Octets of all parts; nil where a hostile manifest makes that no number.
  var partsSize: Int64? {
    var sum: Int64 = 0
    for part in parts {
      let (next, isTooLarge) = sum.addingReportingOverflow(part.size)
      if isTooLarge { return nil }
      sum = next
    }
    return sum
  }
}

// MARK: - As text

extension BackupManifest {
  /// The line, with its end.
  var line: [UInt8] { json.serialized() + [0x0A] }

  private var json: JSONValue {
    [
      "schema": .integer(Int64(contents.schema)), "madeAtMilliseconds": .integer(contents.madeAt),
      "stacks": .integer(contents.stacks), "devices": .integer(contents.devices),
      "alerts": .integer(contents.alerts), "parts": .array(parts.map(\.json)),
    ]
  }

  /// Reads a line without its end. It has to be the very line that this program writes for what it says, so that no
  /// octet of it is without meaning.
  init(parsing line: [UInt8]) throws(BackupFault) {
    guard let json = try? StrictJSON.parse(line, limits: JSONLimits(octets: BackupFormat.manifestMaximum)),
      let manifest = BackupManifest(json), manifest.json.serialized() == line
    else { throw .malformedManifest }
    self = manifest
  }

  private init?(_ json: JSONValue) {
    guard let schema = json["schema"]?.integer, let madeAt = json["madeAtMilliseconds"]?.integer,
      let stacks = json["stacks"]?.integer, let devices = json["devices"]?.integer,
      let alerts = json["alerts"]?.integer, let list = json["parts"]?.array,
      let schema = Int(exactly: schema), schema > 0, min(madeAt, stacks, devices, alerts) >= 0
    else { return nil }
    let parts = list.compactMap(Part.init)
    // The store first, and the key once at most.
    guard parts.count == list.count, parts.first?.name == .store,
      parts.dropFirst().map(\.name) == [.serviceKey].filter({ _ in parts.count > 1 })
    else { return nil }
    self.parts = parts
    contents = BackupContents(
      madeAt: madeAt, schema: schema, stacks: stacks, devices: devices, alerts: alerts,
      hasKey: parts.count > 1)
  }
}

extension BackupManifest.Part {
  fileprivate var json: JSONValue {
    var members: JSONObject = [
      "name": .string(name.rawValue), "size": .integer(size), "sha256": .string(Hex.encode(digest)),
    ]
    if let sealing {
      members["cipher"] = .string(SealedServiceKey.cipher)
      members["scrypt"] = [
        "n": .integer(sealing.parameters.cost), "r": .integer(sealing.parameters.blockSize),
        "p": .integer(sealing.parameters.parallelization), "salt": .string(Base64URL.encode(sealing.salt)),
      ]
    }
    return .object(members)
  }

  fileprivate init?(_ json: JSONValue) {
    guard let name = Name(rawValue: json["name"]?.string ?? ""), let size = json["size"]?.integer, size > 0,
      let digest = Hex.decode(json["sha256"]?.string ?? ""), digest.count == SHA256.length
    else { return nil }
    var sealing: SealedServiceKey.Sealing?
    if name == .serviceKey {
      guard size == Int64(SealedServiceKey.length), json["cipher"]?.string == SealedServiceKey.cipher,
        let scrypt = json["scrypt"], let cost = scrypt["n"]?.integer, let blockSize = scrypt["r"]?.integer,
        let parallelization = scrypt["p"]?.integer,
        let parameters = Scrypt.Parameters(
          cost: cost, blockSize: blockSize, parallelization: parallelization),
        let salt = Base64URL.decode(scrypt["salt"]?.string ?? ""),
        salt.count == SealedServiceKey.saltLength
      else { return nil }
      sealing = SealedServiceKey.Sealing(parameters: parameters, salt: salt)
    }
    self.init(name: name, size: size, digest: digest, sealing: sealing)
  }
}
