import UniformTypeIdentifiers

/// What an application bundle says in `UTExportedTypeDeclarations` of its Info.plist. A single program file has none,
/// so it says it in code; the models read the same either way.
enum Declarations {
  static func declare() throws {
    try UTType.declare(
      "com.example.profile", as: .exported, conformingTo: [.data, .content],
      filenameExtensions: ["profile"], description: "Profile")
    try UTType.declare(
      "com.example.profiles-archive", as: .exported, conformingTo: [.data, .content],
      filenameExtensions: ["profiles"], description: "Archive of profiles")
  }
}
