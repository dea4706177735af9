internal import SelectionProtocol

extension SelectionConnection {
  /// Reads the first cut buffer, CUT_BUFFER0 on the root window: where programs older than selections put text.
  ///
  /// - Returns: nil where it was never written.
  public func cutBuffer() -> [UInt8]? {
    let property = atom("CUT_BUFFER0")
    var all: [UInt8] = []
    while true {
      let rest: Int? = x.readProperty(
        x.firstRoot, property, offset: all.count / 4, length: 65_536, delete: false
      ) { slice, bytes in
        guard let slice, slice.format == 8 else { return nil }
        all += bytes
        return bytes.isEmpty ? 0 : slice.bytesAfter
      }
      guard let rest else { return all.isEmpty ? nil : all }
      if rest == 0 { return all }
    }
  }

  /// Writes the first cut buffer, in as many requests as its size takes.
  public func setCutBuffer(_ bytes: [UInt8]) {
    let property = atom("CUT_BUFFER0")
    bytes.withUnsafeBytes { raw in
      var offset = 0
      repeat {
        let end = min(raw.count, offset + x.maximumPropertySize)
        x.changeProperty(
          x.firstRoot, property, type: .string, format: 8,
          bytes: UnsafeRawBufferPointer(rebasing: raw[offset..<end]), append: offset > 0)
        offset = end
      } while offset < raw.count
    }
    x.synchronize()
  }
}
