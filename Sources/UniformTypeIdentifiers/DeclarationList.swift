internal import ContentTypes
internal import Foundation

/// The declarations in an Info.plist.
///
/// Source: Apple's Information Property List keys `UTExportedTypeDeclarations` and `UTImportedTypeDeclarations`. A string
/// stands for a list of one. What is wrong with one declaration does not harm the others.
struct DeclarationList {
  private(set) var declarations: [(declaration: TypeDeclaration, kind: TypeDeclaration.Kind)] = []
  /// One sentence for each declaration that cannot be read.
  private(set) var problems: [String] = []

  /// Reads an XML or binary property list.
  /// - Throws: What `PropertyListSerialization` throws, or `UTTypeDeclarationError` when it holds no dictionary.
  init(propertyList data: Data) throws {
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    guard let dictionary = list as? [String: Any] else {
      throw UTTypeDeclarationError("the property list is not a dictionary")
    }
    read(dictionary["UTExportedTypeDeclarations"], as: .exported, key: "UTExportedTypeDeclarations")
    read(dictionary["UTImportedTypeDeclarations"], as: .imported, key: "UTImportedTypeDeclarations")
  }

  /// Makes the declarations known.
  /// - Returns: One sentence for each that cannot be used.
  func declare() -> [String] {
    problems + declarations.compactMap { ContentType.declare($0.declaration, as: $0.kind) }
  }

  private mutating func read(_ value: Any?, as kind: TypeDeclaration.Kind, key: String) {
    guard let value else { return }
    guard let entries = value as? [Any] else {
      problems.append("\(key) is not a list")
      return
    }
    for (index, entry) in entries.enumerated() {
      do throws(UTTypeDeclarationError) {
        declarations.append((try Self.declaration(entry), kind))
      } catch {
        let identifier = (entry as? [String: Any])?["UTTypeIdentifier"] as? String
        let name = identifier.map { "\"\($0)\"" } ?? "number \(index + 1) of \(key)"
        problems.append("\(name): \(error.message)")
      }
    }
  }

  private static func declaration(_ entry: Any) throws(UTTypeDeclarationError) -> TypeDeclaration {
    guard let fields = entry as? [String: Any] else {
      throw UTTypeDeclarationError("the declaration is not a dictionary")
    }
    guard let identifier = fields["UTTypeIdentifier"] as? String else {
      throw UTTypeDeclarationError("UTTypeIdentifier is missing or not a string")
    }
    var declaration = TypeDeclaration(identifier: identifier)
    declaration.conformsTo = try strings(fields["UTTypeConformsTo"], "UTTypeConformsTo")
    if let value = fields["UTTypeTagSpecification"] {
      guard let tags = value as? [String: Any] else {
        throw UTTypeDeclarationError("UTTypeTagSpecification is not a dictionary")
      }
      for (name, value) in tags {
        let values = try strings(value, name)
        switch TagClass(rawValue: name) {
        case .filenameExtension: declaration.filenameExtensions = values
        case .mimeType: declaration.mimeTypes = values
        default: declaration.otherTags[TagClass(rawValue: name)] = values
        }
      }
    }
    declaration.typeDescription = try string(fields["UTTypeDescription"], "UTTypeDescription")
    declaration.referenceURL = try string(fields["UTTypeReferenceURL"], "UTTypeReferenceURL")
    declaration.version = try version(fields["UTTypeVersion"])
    return declaration
  }

  private static func string(_ value: Any?, _ key: String) throws(UTTypeDeclarationError) -> String?
  {
    guard let value else { return nil }
    guard let text = value as? String else {
      throw UTTypeDeclarationError("\(key) is not a string")
    }
    return text
  }

  private static func strings(
    _ value: Any?, _ key: String
  ) throws(UTTypeDeclarationError) -> [String] {
    guard let value else { return [] }
    if let text = value as? String { return [text] }
    guard let texts = value as? [Any] else {
      throw UTTypeDeclarationError("\(key) is neither a string nor a list of strings")
    }
    var result: [String] = []
    for text in texts {
      guard let text = text as? String else {
        throw UTTypeDeclarationError("\(key) holds something that is not a string")
      }
      result.append(text)
    }
    return result
  }

  /// Versions are written as numbers or as text.
  private static func version(_ value: Any?) throws(UTTypeDeclarationError) -> Int? {
    guard let value else { return nil }
    if let number = value as? Int { return number }
    if let text = value as? String, let number = Int(text) { return number }
    throw UTTypeDeclarationError("UTTypeVersion is not a whole number")
  }
}

/// Why a type cannot be declared.
public struct UTTypeDeclarationError: Error, Hashable, CustomStringConvertible, LocalizedError {
  /// What is wrong, as a sentence that names the type or the file.
  public let message: String

  init(_ message: String) { self.message = message }

  /// The message.
  public var description: String { message }

  /// The message.
  public var errorDescription: String? { message }
}
