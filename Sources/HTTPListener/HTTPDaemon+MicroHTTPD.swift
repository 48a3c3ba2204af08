internal import CMicroHTTPD
internal import Glibc

/// A running daemon of libmicrohttpd with one thread of its own; ended with the handle, which waits for that thread.
@safe struct HTTPDaemon: ~Copyable, Sendable {
  /// The daemon's address; a number, so that it may be handed from thread to thread.
  private let daemon: UInt
  private let core: Unmanaged<ListenerCore>
  private let socket: ListenSocket
  /// The descriptor that the library works with: it closes it where it fails to start, and leaves it open when a
  /// quiesced daemon ends.
  private let descriptor: Int32

  /// Starts a daemon that calls `core`, and keeps it alive until its end.
  init(serving core: ListenerCore, on socket: consuming ListenSocket) throws(HTTPListenerError) {
    let limits = core.limits
    let descriptor = try socket.duplicate()
    var flags = MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
    var options = unsafe [
      MHD_OptionItem(option: .LISTEN_SOCKET, value: Int(descriptor), ptr_value: nil),
      MHD_OptionItem(option: .STRICT_FOR_CLIENT, value: 1, ptr_value: nil),
      MHD_OptionItem(
        option: .CONNECTION_MEMORY_LIMIT, value: limits.connectionOctets, ptr_value: nil),
      MHD_OptionItem(
        option: .CONNECTION_LIMIT, value: limits.connections + HTTPLimits.surplusConnections,
        ptr_value: nil),
      MHD_OptionItem(option: .CONNECTION_TIMEOUT, value: limits.idleSeconds, ptr_value: nil),
    ]
    if core.identities != nil {
      flags |= MHD_USE_TLS.rawValue
      unsafe options.append(
        MHD_OptionItem(option: .HTTPS_CERT_CALLBACK2, value: 0, ptr_value: TLSIdentity.callback))
    }
    let context = unsafe Unmanaged.passRetained(core)
    var priorities = Array(TLSIdentity.priorities.utf8CString)
    let started = unsafe priorities.withUnsafeMutableBytes { priorities in
      // The library reads the text while it starts, and not later.
      if core.identities != nil {
        unsafe options.append(
          MHD_OptionItem(option: .HTTPS_PRIORITIES, value: 0, ptr_value: priorities.baseAddress))
      }
      unsafe options.append(MHD_OptionItem(option: .END, value: 0, ptr_value: nil))
      return unsafe wake_mhd_start(
        flags, Self.request, Self.completed, Self.connection, Self.target, Self.unescape,
        context.toOpaque(), &options)
    }
    guard let started = unsafe started else {
      unsafe context.release()
      throw .daemonNotStarted
    }
    unsafe self.core = context
    daemon = UInt(bitPattern: started)
    self.socket = socket
    self.descriptor = descriptor
  }

  deinit {
    quiesce()
    unsafe MHD_stop_daemon(OpaquePointer(bitPattern: daemon))
    close(descriptor)
    unsafe core.release()
  }

  /// Takes no more connections.
  func quiesce() {
    _ = unsafe MHD_quiesce_daemon(OpaquePointer(bitPattern: daemon))
    socket.stopListening()
  }
}

// MARK: - What the library calls, on its own thread

extension HTTPDaemon {
  private static func core(_ context: UnsafeMutableRawPointer?) -> ListenerCore? {
    unsafe context.map { unsafe Unmanaged<ListenerCore>.fromOpaque($0).takeUnretainedValue() }
  }

  /// "Called when a connection was started or closed."
  private static let connection: MHD_NotifyConnectionCallback = { context, connection, slot, event in
    guard let core = unsafe HTTPDaemon.core(context), let slot = unsafe slot else { return }
    if event == .CONNECTION_NOTIFY_STARTED {
      let reference = unsafe ConnectionReference(connection)
      let opened = core.opened(from: reference.peer, descriptor: reference.descriptor)
      unsafe slot.pointee = Unmanaged.passRetained(opened).toOpaque()
    } else if let opened = unsafe slot.pointee {
      unsafe slot.pointee = nil
      unsafe core.closed(Unmanaged<ConnectionContext>.fromOpaque(opened).takeRetainedValue())
    }
  }

  /// "Called before the URI is parsed." What it returns is the library's context of the request, which we do not need.
  private static let target:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?)
      -> UnsafeMutableRawPointer? = { context, target, connection in
        guard let core = unsafe HTTPDaemon.core(context), let target = unsafe target else { return nil }
        let reference = unsafe ConnectionReference(connection)
        let request = unsafe RequestContext(
          target: String(cString: target), targetOctets: CText.count(target), connection: reference,
          resumes: core.resumes)
        if let forgotten = reference.context?.begin(request) { core.completed(forgotten) }
        return nil
      }

  /// Leaves escapes as they are: the router gets the target as on the wire.
  private static let unescape:
    @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?) -> Int = {
      _, _, text in
      unsafe text.map { unsafe CText.count($0) } ?? 0
    }

  /// "Called when a request has been completed."
  private static let completed: MHD_RequestCompletedCallback = { context, connection, _, _ in
    guard let core = unsafe HTTPDaemon.core(context),
      let request = unsafe ConnectionReference(connection).context?.end()
    else { return }
    core.completed(request)
  }

  /// Called when the head is there, for each piece of content, at the end of the content, and after each resume.
  private static let request: MHD_AccessHandlerCallback = {
    context, connection, url, method, version, content, contentSize, _ in
    let reference = unsafe ConnectionReference(connection)
    guard let core = unsafe HTTPDaemon.core(context), let known = reference.context,
      let request = known.request,
      let contentSize = unsafe contentSize
    else { return .NO }
    if unsafe contentSize.pointee > 0 {
      let octets = unsafe UnsafeRawBufferPointer(start: content, count: contentSize.pointee)
      unsafe contentSize.pointee = 0
      return unsafe request.append(octets, limit: core.limits.bodyOctets) ? .YES : .NO
    }
    switch request.nextStep() {
    case .examineHead:
      let head = unsafe reference.head(of: request, url: url, method: method, version: version)
      if let refusal = core.refusal(of: head, on: known) {
        return reference.send(core.answer(to: refusal), closes: true)
      }
      // Readers disagree about chunks more than about anything else, so nothing that follows them is read as a request.
      request.headPassed(head.request(from: known.peer), closes: head.isChunked)
      known.enter(.body)
      return .YES
    case .run(let whole):
      known.enter(.answering)
      if core.run(whole, in: request) { return .YES }
      return reference.send(core.answer(to: .stopping), closes: true)
    case .refuse(let refusal): return reference.send(core.answer(to: refusal), closes: true)
    case .send(let response, let closes):
      if let stream = response.stream { core.streams(stream, in: request) }
      return unsafe reference.send(
        response, closes: closes || core.isStopping, toHead: CText.isEqual(method, "HEAD"),
        byOldHTTP: CText.isEqual(version, "HTTP/1.0"))
    case .wait: return .YES
    }
  }
}
