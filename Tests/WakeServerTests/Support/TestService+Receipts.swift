import EndpointRegistry
import StandIns
import StrictJSON

extension TestService {
  /// The receipts of the wakes that reached a phone's endpoint, in the order in which they came.
  func receipts(at phone: Phone) throws -> [String] {
    try pushServer.messages.filter { $0.target == phone.target }.map { message in
      guard case .object(let wake) = try StrictJSON.parse(phone.companion.decrypt(message.body)),
        let receipt = wake["w"]?.string
      else { throw NoReceipt() }
      return receipt
    }
  }

  /// What the service says of a phone.
  func device(_ phone: Phone) async throws -> JSONObject {
    try await send("GET", path(of: phone), token: phone.token).json
  }

  /// Hands a receipt back alone.
  func handBack(_ receipt: JSONValue, from phone: Phone) async throws -> Reply {
    try await send("POST", "\(path(of: phone))/receipts", token: phone.token, json: ["w": receipt])
  }

  struct NoReceipt: Error {}
}
