import Foundation
import UniformTypeIdentifiers

// Tells the desktop of an application's own types, so that file managers and `file --mime-type` users know them too.

signal(SIGXFSZ, SIG_IGN)

let help = """
  usage: declare-types INFO.plist [-o FILE.xml]

  Writes the types that a property list exports and imports (UTExportedTypeDeclarations,
  UTImportedTypeDeclarations) as a package of the shared MIME database. Install it with

    xdg-mime install --mode user --novendor FILE.xml

  -o FILE   write there instead of to standard output
  -h        this text

  Declarations that cannot be used are named on standard error and left out.
  exit: 0 done; 1 some declarations are left out; 2 usage; 4 a file cannot be read or written
  """

/// Says one line; what comes from a file or a caller may not tell a terminal what to do.
func complain(_ message: String) {
  var line = "declare-types: "
  for scalar in message.unicodeScalars {
    line +=
      scalar.properties.generalCategory == .control
      ? scalar.escaped(asASCII: true) : String(scalar)
  }
  try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
}

func end(_ status: Int32, _ message: String) -> Never {
  complain(message)
  exit(status)
}

func write(_ text: String) {
  do {
    try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  } catch {
    end(4, "standard output cannot be written: \(error.localizedDescription)")
  }
}

/// Writes a file whole or not at all; what is no regular file is written directly.
func write(_ data: Data, toFile path: String) throws {
  let target = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
  let attributes = try? FileManager.default.attributesOfItem(atPath: target)
  let kind = attributes?[.type] as? FileAttributeType
  guard kind == nil || kind == .typeRegular else { return try data.write(to: URL(filePath: path)) }
  guard kind == nil || FileManager.default.isWritableFile(atPath: target) else {
    throw CocoaError(.fileWriteNoPermission)
  }
  let beside = URL(filePath: "\(target).\(UUID().uuidString).new")
  defer { try? FileManager.default.removeItem(at: beside) }
  try data.write(to: beside, options: .withoutOverwriting)
  if let mode = attributes?[.posixPermissions] {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: beside.path)
  }
  guard rename(beside.path(percentEncoded: false), target) == 0 else {
    throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }
}

var source: String?
var destination: String?
var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst() {
  switch word {
  case "-h", "--help":
    write(help + "\n")
    exit(0)
  case "-o", "--output":
    guard let file = words.popFirst() else {
      end(2, "\(word) needs a file (see declare-types --help)")
    }
    destination = file
  case _ where word.hasPrefix("-") && word != "-":
    end(2, "unknown option \(word) (see declare-types --help)")
  case _ where source == nil: source = word
  default: end(2, "one property list at a time (see declare-types --help)")
  }
}
guard let source else { end(2, "which property list? (see declare-types --help)") }

let package: (xml: String, problems: [UTTypeDeclarationError])
do {
  package = try UTType.sharedMIMEPackage(ofInfoPlistAt: URL(filePath: source))
} catch {
  end(4, "\(source) cannot be read as a property list: \(error.localizedDescription)")
}
for problem in package.problems {
  complain("\(problem)")
}
if let destination {
  do {
    try write(Data(package.xml.utf8), toFile: destination)
  } catch {
    end(4, "\(destination) cannot be written: \(error.localizedDescription)")
  }
} else {
  write(package.xml.hasSuffix("\n") ? package.xml : package.xml + "\n")
}
exit(package.problems.isEmpty ? 0 : 1)
