internal import CMicroHTTPD

/// Owns one reference to a response of the library.
@safe struct ResponseHandle: ~Copyable {
  private let response: OpaquePointer

  /// A response to be queued on `connection`; nil where there is no memory.
  init?(_ prepared: PreparedResponse, on connection: StreamConnection) {
    let made =
      switch prepared.content {
      case .octets(let octets): unsafe Self.make(octets)
      case .stream(let stream): unsafe Self.make(stream, on: connection)
      case .withheld: unsafe Self.makeWithheld()
      }
    guard let made = unsafe made else { return nil }
    unsafe response = made
    for field in prepared.headers { _ = unsafe MHD_add_response_header(response, field.name, field.value) }
  }

  deinit { unsafe MHD_destroy_response(response) }

  func queue(on connection: OpaquePointer?, status: UInt32) -> MHD_Result {
    unsafe MHD_queue_response(connection, status, response)
  }

  /// A response that has copied its content.
  private static func make(_ body: [UInt8]) -> OpaquePointer? {
    unsafe body.withUnsafeBytes { octets in
      // "The buffer is not modified" with MUST_COPY; the parameter is not const for the other modes' sake.
      unsafe MHD_create_response_from_buffer(
        octets.count, UnsafeMutableRawPointer(mutating: octets.baseAddress), .RESPMEM_MUST_COPY)
    }
  }

  /// A response that asks `stream` for its content, and says so when it is done with it.
  private static func make(_ stream: HTTPStream, on connection: StreamConnection) -> OpaquePointer? {
    connection.boundSending()
    stream.attach(to: connection)
    let context = unsafe Unmanaged.passRetained(stream)
    let made = unsafe MHD_create_response_from_callback(
      wake_mhd_size_unknown, HTTPLimits.streamBlockOctets, read, context.toOpaque(), free)
    if unsafe made == nil { unsafe free(context.toOpaque()) }
    return unsafe made
  }

  /// A response to HEAD without a length. The library would send the last chunk of one in chunks, so it is one that
  /// ends with the connection.
  private static func makeWithheld() -> OpaquePointer? {
    let made = unsafe MHD_create_response_from_callback(wake_mhd_size_unknown, 1, read, nil, nil)
    if unsafe made != nil { unsafe wake_mhd_close_after(made) }
    return unsafe made
  }

  /// "Called by MHD in order to obtain content."
  private static let read: MHD_ContentReaderCallback = { context, _, buffer, size in
    guard let context = unsafe context else { return wake_mhd_end_with_error }
    let stream = unsafe Unmanaged<HTTPStream>.fromOpaque(context).takeUnretainedValue()
    return switch unsafe stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size)) {
    case .octets(let count): count
    case .nothing: 0
    case .end: wake_mhd_end_of_stream
    case .cut: wake_mhd_end_with_error
    }
  }

  /// "Called by MHD if we are done with a content reader."
  private static let free: MHD_ContentReaderFreeCallback = { context in
    guard let context = unsafe context else { return }
    unsafe Unmanaged<HTTPStream>.fromOpaque(context).takeRetainedValue().end()
  }
}
