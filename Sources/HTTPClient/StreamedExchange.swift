/// An answer that is read while it comes. The transfer ends with the last reference to it.
package final class StreamedExchange: Sendable {
  /// The status of the answer, 200…999.
  package let status: Int
  /// The header fields, in order, white space around the values removed.
  package let headers: [(name: String, value: String)]
  private let pipe: StreamPipe

  /// Starts the transfer and waits for the answer's head.
  init(running transfer: StreamTransfer) async throws(HTTPClientError) {
    let pipe = transfer.pipe
    try transfer.start()
    let head: Result<StreamPipe.Head, HTTPClientError> = await withTaskCancellationHandler {
      await pipe.head()
    } onCancel: {
      pipe.cancel()
    }
    self.pipe = pipe
    do throws(HTTPClientError) {
      let head = try head.get()
      (status, headers) = (head.status, head.headers)
    } catch {
      pipe.cancel()
      throw error
    }
  }

  deinit { pipe.cancel() }

  /// The next octets, at least one; nil at the end of the answer, and after `cancel` or the end of the calling task.
  ///
  /// One reader at a time. Throws what ended the transfer before its end.
  package func next() async throws(HTTPClientError) -> [UInt8]? {
    let result: Result<[UInt8]?, HTTPClientError> = await withTaskCancellationHandler {
      await pipe.next()
    } onCancel: {
      pipe.cancel()
    }
    return try result.get()
  }

  /// Ends the transfer, within a second.
  package func cancel() { pipe.cancel() }

  /// The value of the first field of that name, in any case of letters (RFC 9110 §5.1).
  package func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }
}
