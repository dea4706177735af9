public import Foundation
public import UniformTypeIdentifiers

// A list is no item: X11 and most other carriers know one item at a time. These run over the items in
// order, one after the other, so that a hundred large ones need no more at once than one.
extension Array where Element: Transferable {
  /// The content types every item can be exported as now, in the first item's order.
  /// - Parameter visibility: Who asks.
  /// - Returns: The content types; empty if there is no item.
  public func exportedContentTypes(
    _ visibility: TransferRepresentationVisibility = .all
  ) -> [UTType] {
    guard let first else { return [] }
    return dropFirst().reduce(first.exportedContentTypes(visibility)) { common, item in
      let types = Set(item.exportedContentTypes(visibility))
      return common.filter(types.contains)
    }
  }

  /// Exports each item as data.
  /// - Parameter contentType: The content type wanted, or `nil` for each item's first.
  /// - Returns: The data, in the items' order.
  /// - Throws: ``TransferError`` for the first item that fails.
  public func exported(as contentType: UTType?) async throws -> [Data] {
    var all: [Data] = []
    for item in self {
      all.append(try await item.exported(as: contentType))
    }
    return all
  }

  /// Exports each item to a file of its own. Equal names get numbers.
  /// - Parameters:
  ///   - destinationDirectory: An existing directory.
  ///   - contentType: The content type wanted, or `nil` for each item's first.
  /// - Returns: The new files, in the items' order.
  /// - Throws: ``TransferError`` for the first item that fails; the files made before it are removed.
  public func export(
    to destinationDirectory: URL, contentType: UTType?
  ) async throws -> [URL] {
    var files: [URL] = []
    do {
      for item in self {
        files.append(try await item.export(to: destinationDirectory, contentType: contentType))
      }
    } catch {
      for file in files { try? FileManager.default.removeItem(at: file) }
      throw error
    }
    return files
  }

  /// Imports an item from each file.
  /// - Parameters:
  ///   - files: The files, which stay as they are.
  ///   - contentType: The files' content type; with `nil` it follows from each name.
  /// - Throws: ``TransferError`` for the first file that fails.
  public init(importing files: [URL], contentType: UTType?) async throws {
    self = []
    for file in files {
      append(try await Element(importing: file, contentType: contentType))
    }
  }

  /// Imports an item from each piece of data.
  /// - Parameters:
  ///   - data: The data.
  ///   - contentType: The data's content type, or `nil` if it is not known.
  /// - Throws: ``TransferError`` for the first piece that fails.
  public init(importing data: [Data], contentType: UTType?) async throws {
    self = []
    for data in data {
      append(try await Element(importing: data, contentType: contentType))
    }
  }
}
