private import ContentTypes

/// The encodings text can come in.
enum TextEncoding: Sendable, Hashable {
  case charset(Charset)
  case compoundText

  var isUTF16: Bool {
    switch self {
    case .charset(.utf16), .charset(.utf16LittleEndian), .charset(.utf16BigEndian): return true
    default: return false
    }
  }
}

extension TargetDecoder {
  /// Finds the encoding of text: the returned type's first, then the target's.
  func textEncoding(
    of target: OfferedTarget, type: String
  ) throws(SelectionFormatError) -> TextEncoding {
    guard let found = Self.encoding(of: target, type: type) else {
      throw SelectionFormatError(
        .unexpectedType, target: target.name, returnedType: type,
        message: "the owner answered with something that is not text")
    }
    guard case .charset(let charset) = found else { return found }
    guard charset.isSupported else {
      throw SelectionFormatError(
        .unsupportedCharset, target: target.name, returnedType: type,
        message: "the character set is not known here (a static build has only the common ones)")
    }
    return charset == .latin1OrUTF8 && !options.readsUTF8InStrings ? .charset(.latin1) : found
  }

  private static func encoding(of target: OfferedTarget, type: String) -> TextEncoding? {
    let named = encoding(named: target)
    let returned = OfferedTarget(name: type)
    switch returned.codec {
    case .string, .text:
      // Owners that type every answer STRING still mean the character set they listed.
      if case .charset(let charset) = named, charset != .utf8 { return named }
      return .charset(.latin1OrUTF8)
    case .plainText where returned.charset == nil: return named ?? .charset(.latin1OrUTF8)
    case .utf8, .compoundText, .plainText: return encoding(named: returned)
    default:
      let isText =
        type == target.name || returned.contentType?.conforms(to: .text) == true
        || MIMEName(type)?.essence.hasPrefix("text/") == true
      return isText ? named : nil
    }
  }

  private static func encoding(named target: OfferedTarget) -> TextEncoding? {
    switch target.codec {
    case .utf8: return .charset(.utf8)
    case .string, .text: return .charset(.latin1OrUTF8)
    case .compoundText: return .compoundText
    case .plainText(let charset): return .charset(charset)
    case .bytes where target.contentType?.conforms(to: .text) == true:
      return .charset(target.charset ?? .latin1OrUTF8)
    default: return nil
    }
  }

  /// Whether either name is `text/plain` with any parameters.
  func isPlainTextName(_ target: String, _ type: String) -> Bool {
    MIMEName(target)?.essence == "text/plain" || MIMEName(type)?.essence == "text/plain"
  }

  /// Makes sure a property of bytes was returned as one.
  func checkFormat(
    _ format: Int, of target: OfferedTarget, type: String, isWide: Bool
  ) throws(SelectionFormatError) {
    if format == 8 || (format == 16 && isWide) { return }
    throw formatError(target, type, format)
  }

  func formatError(
    _ target: OfferedTarget, _ type: String, _ format: Int
  ) -> SelectionFormatError {
    SelectionFormatError(
      .unexpectedFormat, target: target.name, returnedType: type,
      message: "the owner answered with \(format)-bit items where bytes belong;"
        + " it may have mistaken the request for one about the selection itself")
  }

  /// Makes sure a reply can be content of the target: the same type, another MIME type, or one of
  /// the types that mean no more than bytes.
  ///
  /// - Throws: `.unexpectedType` when the owner sent text for something else, or an answer about
  ///   the selection, `.unexpectedFormat`.
  public func checkBytes(
    of target: OfferedTarget, type: String, format: Int
  ) throws(SelectionFormatError) {
    let isWide = target.codec == .mozillaURL || target.codec == .color
    try checkFormat(format, of: target, type: type, isWide: isWide)
    if type == target.name || type == "STRING" || type == "C_STRING" || type == "TEXT" { return }
    let isTextual =
      target.isURIs || target.codec == .html || target.contentType?.conforms(to: .text) == true
      || target.codec == .none
    let returned = OfferedTarget(name: type)
    if returned.isPlainText, !isTextual {
      throw SelectionFormatError(
        .unexpectedType, target: target.name, returnedType: type,
        message: "the owner answered with text; some owners send the same text for every target")
    }
    if TargetName.isProtocolTarget(type) {
      throw SelectionFormatError(
        .unexpectedType, target: target.name, returnedType: type,
        message: "the owner answered with something that is not content")
    }
    if MIMEName(type) != nil, !Self.isSame(returned, target) {
      throw SelectionFormatError(
        .unexpectedType, target: target.name, returnedType: type,
        message: "the owner answered with another kind of content")
    }
  }

  private static func isSame(_ returned: OfferedTarget, _ target: OfferedTarget) -> Bool {
    guard let returnedType = returned.contentType, let type = target.contentType else {
      return true
    }
    return returnedType == type || returnedType == .data || returnedType.conforms(to: type)
      || (returned.isURIs && target.isURIs) || (returned.isPlainText && type.conforms(to: .text))
      || MIMEName(returned.name)?.essence == MIMEName(target.name)?.essence
  }
}
