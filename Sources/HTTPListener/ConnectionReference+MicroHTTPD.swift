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

  /// Has the library look at the connection within a second, and close it where it has not done so. To be called from
  /// its callback alone.
  ///
  /// A connection that ends because of what the callback for content returns is closed for its client, but the library
  /// forgets to free it until something happens on it. One with a timeout of its own it looks at again.
  func expire() { unsafe wake_mhd_set_timeout(connection, 1) }

  /// Queues an answer; what is not well-formed is replaced by a bare 500. To be called from the library's callback.
  func send(_ response: HTTPResponse, closes: Bool, toHead: Bool = false, byOldHTTP: Bool = false)
    -> MHD_Result
  {
    let prepared = PreparedResponse(response, closes: closes, toHead: toHead)
    if case .stream = prepared.content {
    } else {
      context?.enter(.answered)
      response.stream?.end()
    }
    let made = ResponseHandle(prepared, on: StreamConnection(self, closesAtEnd: byOldHTTP))
    guard let handle = made else { return .NO }
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
