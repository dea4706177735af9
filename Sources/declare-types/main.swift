import Foundation
import UniformTypeIdentifiers

// Tells the desktop of an application's own types, so that file managers and `file --mime-type` users know them too.

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

func end(_ status: Int32, _ message: String) -> Never {
  FileHandle.standardError.write(Data("declare-types: \(message)\n".utf8))
  exit(status)
}

var source: String?
var destination: String?
var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst() {
  switch word {
  case "-h", "--help":
    print(help)
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
  FileHandle.standardError.write(Data("declare-types: \(problem)\n".utf8))
}
if let destination {
  do {
    try Data(package.xml.utf8).write(to: URL(filePath: destination))
  } catch {
    end(4, "\(destination) cannot be written: \(error.localizedDescription)")
  }
} else {
  print(package.xml, terminator: package.xml.hasSuffix("\n") ? "" : "\n")
}
exit(package.problems.isEmpty ? 0 : 1)
