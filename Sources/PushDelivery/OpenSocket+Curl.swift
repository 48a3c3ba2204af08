internal import CCurl
internal import Glibc

/// A socket for the address that libcurl is about to connect to, closed on `exec`.
func openStreamSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
  unsafe socket(
    address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
}
