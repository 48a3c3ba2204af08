import CQREncode
import Glibc

/// A QR code (ISO/IEC 18004): a square of dark and light modules, without the quiet zone around it.
struct QRCode: Sendable, Equatable {
  /// Why a text has none.
  enum Failure: Error, Equatable {
    /// 2,953 octets is what the largest code holds at this level (ISO/IEC 18004, table 7).
    case tooLong
    /// The library could not do it; its `errno`.
    case library(Int32)
  }

  /// Modules on a side.
  let width: Int
  /// Row by row; true is dark.
  private let modules: [Bool]

  /// The smallest code that holds `text`.
  ///
  /// The level is L, which mends 7 % of the code, and the text is put in as it is: a screen is not scratched as a
  /// sticker is, and what counts here is that a pairing link has few enough modules for 80 columns.
  init(_ text: String) throws(Failure) {
    let handle = try QREncodeHandle(Array(text.utf8))
    width = handle.width
    modules = handle.modules
  }

  /// Whether the module is dark; outside of the code all are light.
  func isDark(row: Int, column: Int) -> Bool {
    let isInside = (0..<width).contains(row) && (0..<width).contains(column)
    return isInside && modules[row * width + column]
  }
}

/// Owns a code that libqrencode made; freed with the handle.
@safe private struct QREncodeHandle: ~Copyable {
  private let code: UnsafeMutablePointer<QRcode>

  /// "If 0, the library chooses the minimum version"; "Encode byte stream (may include '\0') in 8-bit mode"
  /// (qrencode.h, QRcode_encodeData).
  init(_ octets: [UInt8]) throws(QRCode.Failure) {
    let made = unsafe QRcode_encodeData(Int32(clamping: octets.count), octets, 0, QR_ECLEVEL_L)
    // The only call of the library that can fail, and so the only place that reads its error.
    guard let made = unsafe made else { throw errno == ERANGE ? .tooLong : .library(errno) }
    unsafe self.init(takingOwnershipOf: made)
  }

  private init(takingOwnershipOf code: UnsafeMutablePointer<QRcode>) { unsafe self.code = code }

  deinit { unsafe QRcode_free(code) }

  var width: Int { unsafe Int(code.pointee.width) }

  /// "If the less significant bit of the uchar is 1, the corresponding module is black" (qrencode.h, QRcode).
  var modules: [Bool] {
    let octets = unsafe UnsafeBufferPointer(start: code.pointee.data, count: width * width)
    return unsafe octets.map { $0 & 1 == 1 }
  }
}
