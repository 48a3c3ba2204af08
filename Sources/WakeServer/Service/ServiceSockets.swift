internal import HTTPListener
internal import PushDelivery

/// The sockets of the service's listeners, bound before anything else is made: the address policy has to know their
/// ports, which the system may choose. Whoever connects meanwhile waits for the listener.
struct ServiceSockets: ~Copyable {
  let everyone: ListenSocket
  let admin: ListenSocket
  /// The admin listener by TCP, where there is one.
  let adminByToken: ListenSocket?
  /// The metrics listener, where there is one.
  let metrics: ListenSocket?

  /// Binds what `configuration` names.
  ///
  /// - Parameter descriptor: a socket that listens already, to be taken over as the public one.
  static func bind(_ configuration: Configuration, on descriptor: Int32?) throws(ServiceError)
    -> ServiceSockets
  {
    let admin = try socket(.unix(path: configuration.stateFolder.adminSocketPath))
    let everyone = try socket(configuration.listen, descriptor)
    if configuration.namesCertificate, configuration.adminListen?.isLocal != false,
      case .unix = everyone.address
    {
      throw .cannotStart(
        "the socket that systemd handed over is a Unix socket, for which TLS is not meant: take WAKE_TLS_CERT_FILE out"
      )
    }
    let adminByToken = try socket(where: configuration.adminListen)
    let metrics = try socket(where: configuration.metricsListen)
    return ServiceSockets(everyone: everyone, admin: admin, adminByToken: adminByToken, metrics: metrics)
  }

  /// Where no wake may go: those of the listeners that are reached by TCP.
  var ownListeners: OwnListeners {
    OwnListeners(
      ([everyone.address] + others).compactMap { address in
        guard case .tcp(let host, let port) = address else { return nil }
        return OwnListeners.Place(host: host, port: port)
      })
  }

  /// Those beside the public one and the admin socket.
  var others: [ListenAddress] {
    var addresses: [ListenAddress] = []
    switch adminByToken {
    case .some(let socket): addresses.append(socket.address)
    case .none: break
    }
    switch metrics {
    case .some(let socket): addresses.append(socket.address)
    case .none: break
    }
    return addresses
  }

  private static func socket(where address: ListenAddress?) throws(ServiceError) -> ListenSocket? {
    guard let address else { return nil }
    return try socket(address)
  }

  private static func socket(_ source: ListenSource, _ descriptor: Int32?) throws(ServiceError)
    -> ListenSocket
  {
    if let descriptor {
      do throws(HTTPListenerError) { return try .adopting(descriptor: descriptor) } catch {
        throw .cannotStart("\(error)")
      }
    }
    guard case .address(let address) = source else { throw .cannotStart("no socket was handed over") }
    return try socket(address)
  }

  private static func socket(_ address: ListenAddress) throws(ServiceError) -> ListenSocket {
    do throws(HTTPListenerError) { return try .listening(on: address) } catch {
      throw .cannotStart("\(address): \(error)")
    }
  }
}
