/// The declarations in the program's own Info.plist.
enum BundleDeclarations {
  /// Reads them once, before the first look-up that they could change.
  static func load() {}
}
