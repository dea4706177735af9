internal import CLinux

/// Compares the start of a file with one magic value.
///
/// Rules come from files anybody may write: every comparison is paid for from an allowance, so that no database can make
/// a look-up hang.
struct MagicComparison {
  /// Byte comparisons left. A look-up in the installed database uses about a hundred thousand.
  var allowance = 32_000_000

  /// Whether a value stands in the data at one of the allowed places.
  /// - Parameters:
  ///   - data: The start of a file.
  ///   - start: The first place, in bytes.
  ///   - places: The number of places.
  ///   - value: The bytes to find.
  ///   - mask: Which bits count; nil for all. As long as the value.
  ///   - wordSize: 1, or the size of the words whose byte order is that of the machine the file was written on.
  mutating func matches(
    _ data: UnsafeRawBufferPointer, start: Int, places: Int, value: UnsafeRawBufferPointer,
    mask: UnsafeRawBufferPointer?, wordSize: Int
  ) -> Bool {
    if value.isEmpty || start < 0 || places <= 0 || value.count > data.count { return false }
    let last = min(data.count - value.count, start.addingReportingOverflow(places - 1).partialValue)
    if start > last || start > data.count { return false }
    let swaps = wordSize > 1 && value.count.isMultiple(of: wordSize) && 1.littleEndian == 1
    if mask == nil, !swaps, last > start, let bytes = data.baseAddress,
      let wanted = value.baseAddress
    {
      // The library looks at many bytes at once.
      allowance -= (last - start) / 16 + value.count
      return cl_holds(bytes + start, last - start + value.count, wanted, value.count)
    }
    for place in start...last {
      allowance -= 1
      if allowance < 0 { return false }
      var index = 0
      while index < value.count {
        let source = swaps ? index ^ (wordSize - 1) : index
        let bits = mask?[source] ?? 0xFF
        if data[place + index] & bits != value[source] & bits { break }
        index += 1
      }
      allowance -= index
      if index == value.count { return true }
    }
    return false
  }

  /// Whether nothing is left of the allowance.
  var isExhausted: Bool { allowance < 0 }
}
