extension UnsafeRawBufferPointer {
  /// How many bytes are left when the beginning of a UTF-8 character at the end is left out; `nil` where the end is no
  /// such beginning.
  var countOfWholeCharacters: Int? {
    var length = 1
    while length < 4, length < count {
      let byte = self[count - length]
      if byte & 0xC0 != 0x80 {
        let wanted = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
        return length < wanted ? count - length : nil
      }
      length += 1
    }
    return nil
  }
}
