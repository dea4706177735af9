extension [UInt8] {
  /// `withUnsafeBytes` that keeps the type of the error.
  func withRawBytes<Value>(
    _ body: (UnsafeRawBufferPointer) throws(SelectionFormatError) -> Value
  ) throws(SelectionFormatError) -> Value {
    let result: Result<Value, SelectionFormatError> = withUnsafeBytes { raw in
      do throws(SelectionFormatError) {
        return .success(try body(raw))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
