internal import EndpointRegistry
internal import HTTPListener

/// The header field `Wake-Receipt`, by which a companion hands a receipt back together with what it reads.
struct ReceiptField: Sendable {
  static let name = "Wake-Receipt"

  let store: any RegistryStore
  let metrics: ServiceMetrics

  /// Keeps the receipt of a device that reads. Reading never fails because of it.
  func take(from request: HTTPRequest, of caller: Caller?, at: Int64, log: Log) async {
    guard request.method == "GET", let receipt = request.header(Self.name),
      case .device(let device, _)? = caller?.credential
    else { return }
    do throws(RegistryError) {
      let begun = try await store.receive(receipt, from: device, at: at)
      if let begun { metrics.receiptCame(of: begun, at: at) }
    } catch {
      log.warning("a receipt could not be kept: \(error)", ["device": "\(device)"])
    }
  }
}
