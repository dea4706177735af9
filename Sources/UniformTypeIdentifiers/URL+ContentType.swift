extension URL {
  /// Returns the URL with a path component whose extension fits a type.
  ///
  /// An extension that already means the type, or one of its subtypes, is kept.
  /// - Parameters:
  ///   - partialName: The component, with or without extension.
  ///   - contentType: The type.
  public func appendingPathComponent(_ partialName: String, conformingTo contentType: UTType) -> URL
  {
    appendingPathComponent(
      contentType.fileName(partialName), isDirectory: contentType.conforms(to: .directory))
  }

  /// Appends a path component whose extension fits a type.
  /// - Parameters:
  ///   - partialName: The component, with or without extension.
  ///   - contentType: The type.
  public mutating func appendPathComponent(_ partialName: String, conformingTo contentType: UTType)
  {
    self = appendingPathComponent(partialName, conformingTo: contentType)
  }

  /// Returns the URL with a type's preferred extension, unless the path already has a fitting one.
  /// - Parameter contentType: The type.
  public func appendingPathExtension(for contentType: UTType) -> URL {
    let name = lastPathComponent
    let fitting = contentType.fileName(name)
    if name.isEmpty || fitting == name { return self }
    return appendingPathExtension(String(fitting.dropFirst(name.count + 1)))
  }

  /// Appends a type's preferred extension, unless the path already has a fitting one.
  /// - Parameter contentType: The type.
  public mutating func appendPathExtension(for contentType: UTType) {
    self = appendingPathExtension(for: contentType)
  }
}

extension UTType {
  /// A name with an extension that means this type.
  func fileName(_ name: String) -> String {
    guard let preferred = preferredFilenameExtension else { return name }
    if let period = name.lastIndex(of: "."), period != name.startIndex {
      let tag = String(name[period...].dropFirst())
      if tags[.filenameExtension]?.contains(where: { $0.lowercased() == tag.lowercased() }) == true
      {
        return name
      }
      let meant = UTType.types(tag: tag, tagClass: .filenameExtension, conformingTo: nil)
      if meant.contains(where: { $0.conforms(to: self) }) { return name }
    }
    return name + "." + preferred
  }
}

extension String {
  /// Not available, as on Apple's systems: use `URL`.
  @available(*, unavailable, message: "Use appendingPathComponent(_:conformingTo:) of URL instead.")
  public func appendingPathComponent(_ partialName: String, conformingTo contentType: UTType)
    -> Never
  {
    fatalError("unavailable")
  }

  /// Not available, as on Apple's systems: use `URL`.
  @available(*, unavailable, message: "Use appendingPathExtension(for:) of URL instead.")
  public func appendingPathExtension(for contentType: UTType) -> Never {
    fatalError("unavailable")
  }
}

extension NSString {
  /// Returns the path with a component whose extension fits a type.
  /// - Parameters:
  ///   - partialName: The component, with or without extension.
  ///   - contentType: The type.
  public func appendingPathComponent(
    _ partialName: String, conformingTo contentType: UTType
  ) -> String {
    appendingPathComponent(contentType.fileName(partialName))
  }

  /// Returns the path with a type's preferred extension, unless it already has a fitting one.
  /// - Parameter contentType: The type.
  public func appendingPathExtension(for contentType: UTType) -> String {
    let name = lastPathComponent
    let fitting = contentType.fileName(name)
    if name.isEmpty || fitting == name { return String(describing: self) }
    let tag = String(fitting.dropFirst(name.count + 1))
    return appendingPathExtension(tag) ?? String(describing: self)
  }
}
