// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .treatAllWarnings(as: .error),
]

let strictC: [CSetting] = [
  .enableWarning("all"),
  .enableWarning("extra"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "X11Pasteboard",
  products: [
    .library(name: "X11Pasteboard", targets: ["X11Pasteboard"]),
    .library(name: "CoreTransferable", targets: ["CoreTransferable"]),
    .library(name: "CoreTransferableTesting", targets: ["CoreTransferableTesting"]),
    .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
    .library(name: "BackgroundProcess", targets: ["BackgroundProcess"]),
    .executable(name: "pasteboard", targets: ["pasteboard"]),
    .executable(name: "paste-button", targets: ["paste-button"]),
    .executable(name: "pasteboardd", targets: ["pasteboardd"]),
    .executable(name: "profile", targets: ["profile"]),
    .executable(name: "declare-types", targets: ["declare-types"]),
  ],
  targets: [
    // What the Glibc module lacks. Knows nothing of X.
    .target(name: "CLinux", cSettings: strictC),
    // Xlib, XFixes and, at run time only, XRes.
    .target(
      name: "CX11", cSettings: strictC,
      linkerSettings: [.linkedLibrary("X11"), .linkedLibrary("Xfixes")]),

    // Content types without Foundation: what a command can afford to load.
    .target(name: "ContentTypes", dependencies: ["CLinux"], swiftSettings: strict),
    .target(
      name: "UniformTypeIdentifiers", dependencies: ["ContentTypes"],
      swiftSettings: strict),
    .target(
      name: "CoreTransferable", dependencies: ["UniformTypeIdentifiers", "ContentTypes", "CLinux"],
      swiftSettings: strict),

    // For tests of transferable types, here and elsewhere.
    .target(
      name: "CoreTransferableTesting",
      dependencies: ["CoreTransferable", "UniformTypeIdentifiers"],
      swiftSettings: strict),

    // A process that goes on when its command has returned.
    .target(name: "BackgroundProcess", dependencies: ["CLinux"], swiftSettings: strict),

    .target(name: "SelectionProtocol", swiftSettings: strict),
    .target(name: "SelectionFormats", dependencies: ["ContentTypes"], swiftSettings: strict),
    .target(
      name: "XlibTransport", dependencies: ["SelectionProtocol", "CX11", "CLinux"],
      swiftSettings: strict),
    .target(
      name: "X11Pasteboard",
      dependencies: [
        "CoreTransferable", "UniformTypeIdentifiers", "ContentTypes", "SelectionFormats",
        "SelectionProtocol", "XlibTransport", "CLinux",
      ], swiftSettings: strict),
    // The helper's history.
    .systemLibrary(name: "CSQLite"),
    // How commands talk to the session helper; apart, so that they do not link its database.
    .target(
      name: "HelperControl", dependencies: ["SelectionProtocol", "XlibTransport"],
      swiftSettings: strict),
    // libsystemd, loaded when it is needed.
    .target(name: "CSystemd", cSettings: strictC, linkerSettings: [.linkedLibrary("dl")]),
    .target(
      name: "SessionHelper",
      dependencies: [
        "HelperControl", "SelectionFormats", "SelectionProtocol", "XlibTransport", "CSQLite",
        "CSystemd",
      ],
      swiftSettings: strict),
    .target(
      name: "PasteboardCommands",
      dependencies: [
        "BackgroundProcess", "ContentTypes", "HelperControl", "SelectionFormats",
        "SelectionProtocol", "XlibTransport", "CLinux",
      ],
      swiftSettings: strict),

    // The window of paste-button; nothing else draws.
    .systemLibrary(
      name: "CPango", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev", "libpango1.0-dev"])]),
    .target(
      name: "PasteButtonWindow", dependencies: ["CPango", "XlibTransport", "SelectionProtocol"],
      swiftSettings: strict),

    .executableTarget(
      name: "pasteboard", dependencies: ["PasteboardCommands"], swiftSettings: strict),
    .executableTarget(
      name: "paste-button", dependencies: ["PasteboardCommands", "PasteButtonWindow"],
      swiftSettings: strict),
    .executableTarget(
      name: "pasteboardd", dependencies: ["SessionHelper"], swiftSettings: strict),
    .executableTarget(
      name: "declare-types", dependencies: ["UniformTypeIdentifiers"], swiftSettings: strict),
    .executableTarget(
      name: "profile",
      dependencies: [
        "X11Pasteboard", "CoreTransferable", "UniformTypeIdentifiers", "BackgroundProcess",
      ],
      swiftSettings: strict),

    .testTarget(
      name: "PasteButtonWindowTests",
      dependencies: ["PasteButtonWindow", "XlibTransport", "SelectionProtocol", "TestServer"],
      swiftSettings: strict),
    .target(name: "TestServer", dependencies: ["CLinux"], path: "Tests/TestServer"),
    // The program in README.md.
    .executableTarget(
      name: "readme-program",
      dependencies: ["X11Pasteboard", "CoreTransferable", "UniformTypeIdentifiers"],
      path: "Tests/ReadmeProgram", swiftSettings: strict),
    .testTarget(
      name: "DocumentationTests", dependencies: ["TestServer", "readme-program", "declare-types"],
      swiftSettings: strict),
    .testTarget(
      name: "InteropTests", dependencies: ["TestServer", "pasteboard", "profile"],
      swiftSettings: strict),
    .testTarget(
      name: "XlibTransportTests",
      dependencies: ["XlibTransport", "SelectionProtocol", "TestServer"], swiftSettings: strict),
    .testTarget(
      name: "HelperControlTests", dependencies: ["HelperControl"], swiftSettings: strict),
    .testTarget(
      name: "SessionHelperTests",
      dependencies: [
        "SessionHelper", "HelperControl", "SelectionProtocol", "XlibTransport", "TestServer",
      ],
      exclude: ["Peers"], swiftSettings: strict),
    .testTarget(
      name: "X11PasteboardTests",
      dependencies: ["X11Pasteboard", "CoreTransferable", "UniformTypeIdentifiers", "TestServer"],
      swiftSettings: strict),
    .testTarget(
      name: "ProfileTests", dependencies: ["profile", "TestServer"], swiftSettings: strict),
    .testTarget(
      name: "ContentTypesTests", dependencies: ["ContentTypes"], swiftSettings: strict),
    .testTarget(
      name: "UniformTypeIdentifiersTests", dependencies: ["UniformTypeIdentifiers"],
      swiftSettings: strict),
    .testTarget(
      name: "CoreTransferableTests",
      dependencies: ["CoreTransferable", "CoreTransferableTesting", "CLinux"],
      swiftSettings: strict),
    // Models as they are written for Apple's systems.
    .testTarget(
      name: "CoreTransferableSwift5Tests", dependencies: ["CoreTransferable"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "SelectionProtocolTests", dependencies: ["SelectionProtocol"], swiftSettings: strict),
    .testTarget(
      name: "SelectionFormatsTests", dependencies: ["SelectionFormats", "ContentTypes"],
      swiftSettings: strict),
    // Readers of foreign bytes over mutated inputs, here and under `scripts/fuzz`.
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "SelectionFormats", "SelectionProtocol", "ContentTypes", "UniformTypeIdentifiers",
        "CoreTransferable", "HelperControl", "SessionHelper", "CSQLite", "XlibTransport",
        "TestServer",
      ], swiftSettings: strict),
    // Figures before and after many rounds; `scripts/soak` makes more of them.
    .testTarget(
      name: "SoakTests",
      dependencies: [
        "X11Pasteboard", "CoreTransferable", "UniformTypeIdentifiers", "XlibTransport",
        "SelectionProtocol", "TestServer",
      ], swiftSettings: strict),
    .testTarget(
      name: "CommandLineTests", dependencies: ["TestServer", "pasteboard", "paste-button"],
      swiftSettings: strict),
    .executableTarget(
      name: "library-costs",
      dependencies: ["X11Pasteboard", "CoreTransferable", "UniformTypeIdentifiers"],
      path: "Tests/LibraryCosts", swiftSettings: strict),
    .testTarget(
      name: "CostTests", dependencies: ["TestServer", "pasteboard", "library-costs"],
      swiftSettings: strict),
  ]
)
