// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "types",
  dependencies: [.package(name: "X11Pasteboard", path: "../../..")],
  targets: [
    .executableTarget(
      name: "types",
      dependencies: [.product(name: "UniformTypeIdentifiers", package: "X11Pasteboard")])
  ]
)
