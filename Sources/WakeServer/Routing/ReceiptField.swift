internal import EndpointRegistry
internal import HTTPListener

/// The header field `Wake-Receipt`, by which a companion hands a receipt back together with what it reads.
struct ReceiptField: Sendable {
  static let name = "Wake-Receipt"

  let store: any RegistryStore
  let log: Log

  /// Keeps the receipt of a device that reads. Reading never fails because of it.
  func take(from request: HTTPRequest, of caller: Caller?, at: Int64) async {
    guard request.method == "GET", let receipt = request.header(Self.name),
      case .device(let device, _)? = caller?.credential
    else { return }
    do throws(RegistryError) {
      try await store.receive(receipt, from: device, at: at)
    } catch {
      log.warning("a receipt of device \(device) could not be kept: \(error)")
    }
  }
}
