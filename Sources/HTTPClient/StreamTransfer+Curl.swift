internal import CCurl

extension StreamTransfer {
  /// Runs the transfer to its end on the calling thread.
  func perform() -> Result<Void, HTTPClientError> {
    let sink = StreamSink(pipe, idle: idle)
    do throws(CurlFailure) {
      let easy = try CurlEasy()
      let lines = try CurlList(request.curlLines)
      try easy.prepare(settings)
      try easy.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, settings.timeoutMilliseconds))
      try easy.prepare(request)
      try unsafe easy.setPointer(CURLOPT_HTTPHEADER, lines.pointer)
      let context = unsafe UnsafeRawPointer(Unmanaged.passUnretained(sink).toOpaque())
      try unsafe easy.setSink(CURLOPT_WRITEFUNCTION) { octets, size, count, context in
        unsafe streamOctets(octets, size * count, context) { unsafe $0.takeBody($1) }
      }
      try unsafe easy.setSink(CURLOPT_HEADERFUNCTION) { octets, size, count, context in
        unsafe streamOctets(octets, size * count, context) { unsafe $0.takeHeaderLine($1) }
      }
      // libcurl asks about once a second where nothing comes (CURLOPT_XFERINFOFUNCTION(3)). Its own measure of idleness,
      // CURLOPT_LOW_SPEED_TIME, takes a heartbeat of a few octets for silence.
      try unsafe easy.setProgress { context, _, _, _, _ in
        guard let context = unsafe context else { return 1 }
        return unsafe Unmanaged<StreamSink>.fromOpaque(context).takeUnretainedValue().goesOn() ? 0 : 1
      }
      for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_XFERINFODATA] {
        try unsafe easy.setPointer(option, context)
      }
      // The pin, the list and the sink are used until the handle is freed.
      defer {
        withExtendedLifetime(sink) {}
        withExtendedLifetime(settings) {}
      }
      try easy.perform()
      return .success(())
    } catch {
      if sink.isIdle { return .failure(.timedOut) }
      return .failure(sink.overflowed ? .tooLarge : HTTPClientError(error))
    }
  }
}

/// Hands octets of a callback to the sink that `context` points to; what libcurl is told was taken.
private func streamOctets(
  _ octets: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
  _ take: (StreamSink, UnsafeRawBufferPointer) -> Bool
) -> Int {
  guard let context = unsafe context else { return 0 }
  let sink = unsafe Unmanaged<StreamSink>.fromOpaque(context).takeUnretainedValue()
  let taken = unsafe take(sink, UnsafeRawBufferPointer(start: octets, count: count))
  // Fewer than were offered ends the transfer with CURLE_WRITE_ERROR.
  return taken ? count : (count == 0 ? 1 : 0)
}
