import Foundation
import TestServer
import Testing

@Suite struct DeclareTypesTests {
  private static let list = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>UTExportedTypeDeclarations</key><array>
    <dict><key>UTTypeIdentifier</key><string>com.example.sketch</string>
    <key>UTTypeDescription</key><string>Sketch &amp; notes</string>
    <key>UTTypeConformsTo</key><array><string>public.json</string></array>
    <key>UTTypeTagSpecification</key><dict>
    <key>public.filename-extension</key><array><string>xsketch</string></array></dict></dict>
    <dict><key>UTTypeIdentifier</key><string>not an identifier!</string></dict>
    </array></dict></plist>
    """

  private func tool(_ arguments: [String]) throws -> CommandResult {
    try run(
      builtProducts.appending(path: "declare-types").path(percentEncoded: false), arguments)
  }

  @Test func theDesktopLearnsAnExportedType() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let packages = folder.appending(path: "mime/packages")
    try FileManager.default.createDirectory(at: packages, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = folder.appending(path: "Info.plist")
    try Data(Self.list.utf8).write(to: source)
    let package = packages.appending(path: "sketch.xml")
    let result = try tool([
      source.path(percentEncoded: false), "-o", package.path(percentEncoded: false),
    ])
    // The good declaration is written, the bad one named.
    #expect(result.status == 1)
    #expect(result.errorText == "declare-types: \"not an identifier!\" is not a type identifier\n")
    let update = try run(
      "update-mime-database", [folder.appending(path: "mime").path(percentEncoded: false)])
    #expect(update.status == 0)
    let globs = try String(
      contentsOf: folder.appending(path: "mime/globs2"), encoding: .utf8)
    #expect(globs.contains("50:application/x-uti.com.example.sketch:*.xsketch\n"))
  }

  @Test func aListMayComeThroughAPipe() throws {
    let tool = builtProducts.appending(path: "declare-types").path(percentEncoded: false)
    let result = try run(tool, ["/dev/stdin"], input: Data(Self.list.utf8))
    #expect(result.status == 1)
    #expect(result.text.contains("com.example.sketch"))
  }

  @Test(
    arguments: [
      ([], 2, "which property list?"),
      (["a", "b"], 2, "one property list at a time"),
      (["--bogus"], 2, "unknown option --bogus"),
      (["/nonexistent/Info.plist"], 4, "/nonexistent/Info.plist cannot be read"),
    ] as [([String], Int32, String)])
  func badArgumentsAreNamed(arguments: [String], status: Int32, text: String) throws {
    let result = try tool(arguments)
    #expect(result.status == status)
    #expect(result.errorText.hasPrefix("declare-types: \(text)"))
    #expect(result.errorText.split(separator: "\n").count == 1)
    #expect(result.output.isEmpty)
  }

  @Test func aFileIsReplacedWholeOrNotAtAll() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.list.utf8).write(to: folder.appending(path: "Info.plist"))
    let program = builtProducts.appending(path: "declare-types").path(percentEncoded: false)
    let result = try run(
      "/bin/bash",
      [
        "-c",
        """
        cd "$1"; "$0" Info.plist > expected 2> /dev/null
        echo old > file; chmod 604 file; ln -s file link
        (ulimit -f 0; "$0" Info.plist -o link 2> /dev/null; echo $?); cat file
        "$0" Info.plist -o link 2> /dev/null; echo $?; cmp file expected; stat -c %a file; ls
        "$0" Info.plist 2>&1 > /dev/full | tail -1; echo ${PIPESTATUS[0]}
        "$0" Info.plist >&- 2> /dev/null; echo $?
        "$0" $'a\\e[31m' 2>&1 | cut -c -30
        """, program, folder.path(percentEncoded: false),
      ])
    #expect(
      result.text == """
        4
        old
        1
        604
        Info.plist
        expected
        file
        link
        declare-types: standard output cannot be written: The operation could not be completed. \
        There isn’t enough space.
        4
        4
        declare-types: a\\u{1B}[31m can

        """)
  }
}
