internal import CMicroHTTPD
internal import Glibc

/// A connection of libmicrohttpd, as a number that may be handed from thread to thread.
///
/// It is good for as long as the library calls back for the connection, and while the connection is set aside.
@safe struct ConnectionReference: Sendable {
  private let address: UInt
  private var connection: OpaquePointer? { unsafe OpaquePointer(bitPattern: address) }

  init(_ connection: OpaquePointer?) { address = UInt(bitPattern: connection) }

  /// Takes the connection out of the library's loop; to be called from its callback alone.
  func suspend() { unsafe MHD_suspend_connection(connection) }

  /// Puts a suspended connection back; may be called from any thread.
  func resume() { unsafe MHD_resume_connection(connection) }

  /// The numeric address of the other end, without port; nil on a Unix socket.
  var peer: String? {
    unsafe wake_mhd_client_address(connection).flatMap { unsafe SocketAddress.numeric($0)?.host }
  }

  /// The connection's descriptor, which the library closes.
  var descriptor: Int32 { unsafe wake_mhd_descriptor(connection) }

  /// What was noted when the connection was opened.
  var context: ConnectionContext? {
    unsafe wake_mhd_socket_context(connection).map {
      unsafe Unmanaged<ConnectionContext>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// The head that has just come in, from what the library's callback was given.
  func head(
    of request: RequestContext, url: UnsafePointer<CChar>?, method: UnsafePointer<CChar>?,
    version: UnsafePointer<CChar>?
  ) -> RequestHead {
    var fields = FieldCollector()
    unsafe withUnsafeMutablePointer(to: &fields) { fields in
      _ = unsafe MHD_get_connection_values_n(connection, .HEADER_KIND, FieldCollector.collect, fields)
    }
    let (method, methodPart) = unsafe CText.read(method)
    let (version, versionPart) = unsafe CText.read(version)
    let layout = HeadLayout(
      method: methodPart,
      // The library has cut the target at its `?` by now; its length was noted before.
      target: .init(start: UInt(bitPattern: url), count: request.targetOctets),
      version: versionPart, fields: fields.parts,
      head: .init(start: methodPart.start, count: unsafe wake_mhd_head_size(connection)))
    return RequestHead(
      method: method, target: request.target, version: version, headers: fields.texts, layout: layout)
  }

  /// Queues an answer; what is not well-formed is replaced by a bare 500. To be called from the library's callback.
  func send(_ response: HTTPResponse, closes: Bool) -> MHD_Result {
    let prepared = PreparedResponse(response, closes: closes)
    guard let handle = ResponseHandle(prepared) else { return .NO }
    return unsafe handle.queue(on: connection, status: UInt32(prepared.status))
  }
}

/// Gathers the fields that the library iterates over.
private struct FieldCollector {
  var texts: [(name: String, value: String)] = []
  var parts: [(name: HeadLayout.Part, value: HeadLayout.Part)] = []

  static let collect: MHD_KeyValueIteratorN = { context, _, name, nameCount, value, valueCount in
    guard let fields = unsafe context?.assumingMemoryBound(to: FieldCollector.self) else { return .NO }
    let name = unsafe CText.read(name, count: nameCount)
    let value = unsafe CText.read(value, count: valueCount)
    unsafe fields.pointee.texts.append((name.text, value.text))
    unsafe fields.pointee.parts.append((name.part, value.part))
    return .YES
  }
}

/// Owns one reference to a response of the library.
@safe private struct ResponseHandle: ~Copyable {
  private let response: OpaquePointer

  /// A response that has copied everything; nil where there is no memory.
  init?(_ prepared: PreparedResponse) {
    let made = unsafe prepared.body.withUnsafeBytes { octets in
      // "The buffer is not modified" with MUST_COPY; the parameter is not const for the other modes' sake.
      unsafe MHD_create_response_from_buffer(
        octets.count, UnsafeMutableRawPointer(mutating: octets.baseAddress), .RESPMEM_MUST_COPY)
    }
    guard let made = unsafe made else { return nil }
    unsafe response = made
    for field in prepared.headers { _ = unsafe MHD_add_response_header(response, field.name, field.value) }
  }

  deinit { unsafe MHD_destroy_response(response) }

  func queue(on connection: OpaquePointer?, status: UInt32) -> MHD_Result {
    unsafe MHD_queue_response(connection, status, response)
  }
}
