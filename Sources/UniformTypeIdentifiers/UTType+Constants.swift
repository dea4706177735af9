// swift-format-ignore-file
internal import ContentTypes

// The constants of Apple's UniformTypeIdentifiers, as of the 27.0 SDKs.
extension UTType {
  /// Root of the physical hierarchy (anything file-like).
  ///
  /// Identifier: `public.item`.
  public static var item: UTType { UTType(ContentType.item) }

  /// Root of the functional hierarchy: user-viewable content.
  ///
  /// Identifier: `public.content`.
  public static var content: UTType { UTType(ContentType.content) }

  /// Content that can embed other content.
  ///
  /// Identifier: `public.composite-content`.
  public static var compositeContent: UTType { UTType(ContentType.compositeContent) }

  /// Mountable disk image.
  ///
  /// Identifier: `public.disk-image`.
  public static var diskImage: UTType { UTType(ContentType.diskImage) }

  /// Byte stream (flat file or in-memory data).
  ///
  /// Identifier: `public.data`.
  public static var data: UTType { UTType(ContentType.data) }

  /// Any file-system directory.
  ///
  /// Identifier: `public.directory`.
  public static var directory: UTType { UTType(ContentType.directory) }

  /// Pointer that resolves to another item (alias, symlink, bookmark).
  ///
  /// Identifier: `com.apple.resolvable`.
  public static var resolvable: UTType { UTType(ContentType.resolvable) }

  /// Symbolic link.
  ///
  /// Identifier: `public.symlink`.
  public static var symbolicLink: UTType { UTType(ContentType.symbolicLink) }

  /// Anything executable.
  ///
  /// Identifier: `public.executable`.
  public static var executable: UTType { UTType(ContentType.executable) }

  /// Volume mount point.
  ///
  /// Identifier: `com.apple.mount-point`.
  public static var mountPoint: UTType { UTType(ContentType.mountPoint) }

  /// Finder alias file.
  ///
  /// Identifier: `com.apple.alias-file`.
  public static var aliasFile: UTType { UTType(ContentType.aliasFile) }

  /// URL bookmark blob.
  ///
  /// Identifier: `com.apple.bookmark`.
  public static var urlBookmarkData: UTType { UTType(ContentType.urlBookmarkData) }

  /// URL bytes.
  ///
  /// Identifier: `public.url`.
  public static var url: UTType { UTType(ContentType.url) }

  /// File URL bytes.
  ///
  /// Identifier: `public.file-url`.
  public static var fileURL: UTType { UTType(ContentType.fileURL) }

  /// Any textual data, markup included.
  ///
  /// Identifier: `public.text`.
  public static var text: UTType { UTType(ContentType.text) }

  /// Text without markup, unspecified encoding.
  ///
  /// Identifier: `public.plain-text`.
  public static var plainText: UTType { UTType(ContentType.plainText) }

  /// Plain text in UTF-8.
  ///
  /// Identifier: `public.utf8-plain-text`.
  public static var utf8PlainText: UTType { UTType(ContentType.utf8PlainText) }

  /// Plain text in UTF-16 with BOM (external representation).
  ///
  /// Identifier: `public.utf16-external-plain-text`.
  public static var utf16ExternalPlainText: UTType { UTType(ContentType.utf16ExternalPlainText) }

  /// Plain text in native-order UTF-16.
  ///
  /// Identifier: `public.utf16-plain-text`.
  public static var utf16PlainText: UTType { UTType(ContentType.utf16PlainText) }

  /// Delimiter-separated values.
  ///
  /// Identifier: `public.delimited-values-text`.
  public static var delimitedText: UTType { UTType(ContentType.delimitedText) }

  /// CSV.
  ///
  /// Identifier: `public.comma-separated-values-text`.
  public static var commaSeparatedText: UTType { UTType(ContentType.commaSeparatedText) }

  /// TSV, unspecified encoding.
  ///
  /// Identifier: `public.tab-separated-values-text`.
  public static var tabSeparatedText: UTType { UTType(ContentType.tabSeparatedText) }

  /// TSV in UTF-8.
  ///
  /// Identifier: `public.utf8-tab-separated-values-text`.
  public static var utf8TabSeparatedText: UTType { UTType(ContentType.utf8TabSeparatedText) }

  /// RTF.
  ///
  /// Identifier: `public.rtf`.
  public static var rtf: UTType { UTType(ContentType.rtf) }

  /// HTML.
  ///
  /// Identifier: `public.html`.
  public static var html: UTType { UTType(ContentType.html) }

  /// XML.
  ///
  /// Identifier: `public.xml`.
  public static var xml: UTType { UTType(ContentType.xml) }

  /// YAML.
  ///
  /// Identifier: `public.yaml`.
  public static var yaml: UTType { UTType(ContentType.yaml) }

  /// Source code.
  ///
  /// Identifier: `public.source-code`.
  public static var sourceCode: UTType { UTType(ContentType.sourceCode) }

  /// Assembly source.
  ///
  /// Identifier: `public.assembly-source`.
  public static var assemblyLanguageSource: UTType { UTType(ContentType.assemblyLanguageSource) }

  /// C source.
  ///
  /// Identifier: `public.c-source`.
  public static var cSource: UTType { UTType(ContentType.cSource) }

  /// Objective-C source.
  ///
  /// Identifier: `public.objective-c-source`.
  public static var objectiveCSource: UTType { UTType(ContentType.objectiveCSource) }

  /// Swift source.
  ///
  /// Identifier: `public.swift-source`.
  public static var swiftSource: UTType { UTType(ContentType.swiftSource) }

  /// C++ source.
  ///
  /// Identifier: `public.c-plus-plus-source`.
  public static var cPlusPlusSource: UTType { UTType(ContentType.cPlusPlusSource) }

  /// Objective-C++ source.
  ///
  /// Identifier: `public.objective-c-plus-plus-source`.
  public static var objectiveCPlusPlusSource: UTType { UTType(ContentType.objectiveCPlusPlusSource) }

  /// C header.
  ///
  /// Identifier: `public.c-header`.
  public static var cHeader: UTType { UTType(ContentType.cHeader) }

  /// C++ header.
  ///
  /// Identifier: `public.c-plus-plus-header`.
  public static var cPlusPlusHeader: UTType { UTType(ContentType.cPlusPlusHeader) }

  /// Script source.
  ///
  /// Identifier: `public.script`.
  public static var script: UTType { UTType(ContentType.script) }

  /// AppleScript text.
  ///
  /// Identifier: `com.apple.applescript.text`.
  public static var appleScript: UTType { UTType(ContentType.appleScript) }

  /// Compiled OSA script.
  ///
  /// Identifier: `com.apple.applescript.script`.
  public static var osaScript: UTType { UTType(ContentType.osaScript) }

  /// OSA script bundle.
  ///
  /// Identifier: `com.apple.applescript.script-bundle`.
  public static var osaScriptBundle: UTType { UTType(ContentType.osaScriptBundle) }

  /// JavaScript.
  ///
  /// Identifier: `com.netscape.javascript-source`.
  public static var javaScript: UTType { UTType(ContentType.javaScript) }

  /// Shell script.
  ///
  /// Identifier: `public.shell-script`.
  public static var shellScript: UTType { UTType(ContentType.shellScript) }

  /// Perl script.
  ///
  /// Identifier: `public.perl-script`.
  public static var perlScript: UTType { UTType(ContentType.perlScript) }

  /// Python script.
  ///
  /// Identifier: `public.python-script`.
  public static var pythonScript: UTType { UTType(ContentType.pythonScript) }

  /// Ruby script.
  ///
  /// Identifier: `public.ruby-script`.
  public static var rubyScript: UTType { UTType(ContentType.rubyScript) }

  /// PHP script.
  ///
  /// Identifier: `public.php-script`.
  public static var phpScript: UTType { UTType(ContentType.phpScript) }

  /// Makefile.
  ///
  /// Identifier: `public.make-source`.
  public static var makefile: UTType { UTType(ContentType.makefile) }

  /// JSON.
  ///
  /// Identifier: `public.json`.
  public static var json: UTType { UTType(ContentType.json) }

  /// Property list, any encoding.
  ///
  /// Identifier: `com.apple.property-list`.
  public static var propertyList: UTType { UTType(ContentType.propertyList) }

  /// XML property list.
  ///
  /// Identifier: `com.apple.xml-property-list`.
  public static var xmlPropertyList: UTType { UTType(ContentType.xmlPropertyList) }

  /// Binary property list.
  ///
  /// Identifier: `com.apple.binary-property-list`.
  public static var binaryPropertyList: UTType { UTType(ContentType.binaryPropertyList) }

  /// PDF.
  ///
  /// Identifier: `com.adobe.pdf`.
  public static var pdf: UTType { UTType(ContentType.pdf) }

  /// RTFD package.
  ///
  /// Identifier: `com.apple.rtfd`.
  public static var rtfd: UTType { UTType(ContentType.rtfd) }

  /// Flattened RTFD (pasteboard form).
  ///
  /// Identifier: `com.apple.flat-rtfd`.
  public static var flatRTFD: UTType { UTType(ContentType.flatRTFD) }

  /// WebKit web archive.
  ///
  /// Identifier: `com.apple.webarchive`.
  public static var webArchive: UTType { UTType(ContentType.webArchive) }

  /// Any still image.
  ///
  /// Identifier: `public.image`.
  public static var image: UTType { UTType(ContentType.image) }

  /// JPEG.
  ///
  /// Identifier: `public.jpeg`.
  public static var jpeg: UTType { UTType(ContentType.jpeg) }

  /// TIFF.
  ///
  /// Identifier: `public.tiff`.
  public static var tiff: UTType { UTType(ContentType.tiff) }

  /// GIF.
  ///
  /// Identifier: `com.compuserve.gif`.
  public static var gif: UTType { UTType(ContentType.gif) }

  /// PNG.
  ///
  /// Identifier: `public.png`.
  public static var png: UTType { UTType(ContentType.png) }

  /// Apple icon family.
  ///
  /// Identifier: `com.apple.icns`.
  public static var icns: UTType { UTType(ContentType.icns) }

  /// Windows bitmap.
  ///
  /// Identifier: `com.microsoft.bmp`.
  public static var bmp: UTType { UTType(ContentType.bmp) }

  /// Windows icon.
  ///
  /// Identifier: `com.microsoft.ico`.
  public static var ico: UTType { UTType(ContentType.ico) }

  /// Camera raw, any vendor.
  ///
  /// Identifier: `public.camera-raw-image`.
  public static var rawImage: UTType { UTType(ContentType.rawImage) }

  /// SVG.
  ///
  /// Identifier: `public.svg-image`.
  public static var svg: UTType { UTType(ContentType.svg) }

  /// Live Photo.
  ///
  /// Identifier: `com.apple.live-photo`.
  public static var livePhoto: UTType { UTType(ContentType.livePhoto) }

  /// HEIF image.
  ///
  /// Identifier: `public.heif`.
  public static var heif: UTType { UTType(ContentType.heif) }

  /// HEIC image.
  ///
  /// Identifier: `public.heic`.
  public static var heic: UTType { UTType(ContentType.heic) }

  /// WebP.
  ///
  /// Identifier: `org.webmproject.webp`.
  public static var webP: UTType { UTType(ContentType.webP) }

  /// Any 3D content.
  ///
  /// Identifier: `public.3d-content`.
  public static var threeDContent: UTType { UTType(ContentType.threeDContent) }

  /// Universal Scene Description.
  ///
  /// Identifier: `com.pixar.universal-scene-description`.
  public static var usd: UTType { UTType(ContentType.usd) }

  /// USDZ archive.
  ///
  /// Identifier: `com.pixar.universal-scene-description-mobile`.
  public static var usdz: UTType { UTType(ContentType.usdz) }

  /// Reality file.
  ///
  /// Identifier: `com.apple.reality`.
  public static var realityFile: UTType { UTType(ContentType.realityFile) }

  /// SceneKit scene.
  ///
  /// Identifier: `com.apple.scenekit.scene`.
  public static var sceneKitScene: UTType { UTType(ContentType.sceneKitScene) }

  /// AR reference object.
  ///
  /// Identifier: `com.apple.arobject`.
  public static var arReferenceObject: UTType { UTType(ContentType.arReferenceObject) }

  /// Audio and/or video.
  ///
  /// Identifier: `public.audiovisual-content`.
  public static var audiovisualContent: UTType { UTType(ContentType.audiovisualContent) }

  /// Media container that may hold video and audio.
  ///
  /// Identifier: `public.movie`.
  public static var movie: UTType { UTType(ContentType.movie) }

  /// Video without audio.
  ///
  /// Identifier: `public.video`.
  public static var video: UTType { UTType(ContentType.video) }

  /// Audio without video.
  ///
  /// Identifier: `public.audio`.
  public static var audio: UTType { UTType(ContentType.audio) }

  /// QuickTime movie.
  ///
  /// Identifier: `com.apple.quicktime-movie`.
  public static var quickTimeMovie: UTType { UTType(ContentType.quickTimeMovie) }

  /// MPEG-1/2 movie.
  ///
  /// Identifier: `public.mpeg`.
  public static var mpeg: UTType { UTType(ContentType.mpeg) }

  /// MPEG-2 video.
  ///
  /// Identifier: `public.mpeg-2-video`.
  public static var mpeg2Video: UTType { UTType(ContentType.mpeg2Video) }

  /// MPEG-2 transport stream.
  ///
  /// Identifier: `public.mpeg-2-transport-stream`.
  public static var mpeg2TransportStream: UTType { UTType(ContentType.mpeg2TransportStream) }

  /// MP3.
  ///
  /// Identifier: `public.mp3`.
  public static var mp3: UTType { UTType(ContentType.mp3) }

  /// MPEG-4 movie.
  ///
  /// Identifier: `public.mpeg-4`.
  public static var mpeg4Movie: UTType { UTType(ContentType.mpeg4Movie) }

  /// MPEG-4 audio.
  ///
  /// Identifier: `public.mpeg-4-audio`.
  public static var mpeg4Audio: UTType { UTType(ContentType.mpeg4Audio) }

  /// FairPlay MPEG-4 audio.
  ///
  /// Identifier: `com.apple.protected-mpeg-4-audio`.
  public static var appleProtectedMPEG4Audio: UTType { UTType(ContentType.appleProtectedMPEG4Audio) }

  /// FairPlay MPEG-4 video.
  ///
  /// Identifier: `com.apple.protected-mpeg-4-video`.
  public static var appleProtectedMPEG4Video: UTType { UTType(ContentType.appleProtectedMPEG4Video) }

  /// AVI.
  ///
  /// Identifier: `public.avi`.
  public static var avi: UTType { UTType(ContentType.avi) }

  /// AIFF.
  ///
  /// Identifier: `public.aiff-audio`.
  public static var aiff: UTType { UTType(ContentType.aiff) }

  /// WAVE.
  ///
  /// Identifier: `com.microsoft.waveform-audio`.
  public static var wav: UTType { UTType(ContentType.wav) }

  /// MIDI.
  ///
  /// Identifier: `public.midi-audio`.
  public static var midi: UTType { UTType(ContentType.midi) }

  /// Playlist.
  ///
  /// Identifier: `public.playlist`.
  public static var playlist: UTType { UTType(ContentType.playlist) }

  /// M3U playlist.
  ///
  /// Identifier: `public.m3u-playlist`.
  public static var m3uPlaylist: UTType { UTType(ContentType.m3uPlaylist) }

  /// User-browsable directory (not a package).
  ///
  /// Identifier: `public.folder`.
  public static var folder: UTType { UTType(ContentType.folder) }

  /// Root folder of a volume.
  ///
  /// Identifier: `public.volume`.
  public static var volume: UTType { UTType(ContentType.volume) }

  /// Directory presented as one file.
  ///
  /// Identifier: `com.apple.package`.
  public static var package: UTType { UTType(ContentType.package) }

  /// Directory with bundle layout.
  ///
  /// Identifier: `com.apple.bundle`.
  public static var bundle: UTType { UTType(ContentType.bundle) }

  /// Plug-in bundle.
  ///
  /// Identifier: `com.apple.plugin`.
  public static var pluginBundle: UTType { UTType(ContentType.pluginBundle) }

  /// Spotlight importer.
  ///
  /// Identifier: `com.apple.metadata-importer`.
  public static var spotlightImporter: UTType { UTType(ContentType.spotlightImporter) }

  /// Quick Look generator.
  ///
  /// Identifier: `com.apple.quicklook-generator`.
  public static var quickLookGenerator: UTType { UTType(ContentType.quickLookGenerator) }

  /// XPC service.
  ///
  /// Identifier: `com.apple.xpc-service`.
  public static var xpcService: UTType { UTType(ContentType.xpcService) }

  /// Framework bundle.
  ///
  /// Identifier: `com.apple.framework`.
  public static var framework: UTType { UTType(ContentType.framework) }

  /// Application.
  ///
  /// Identifier: `com.apple.application`.
  public static var application: UTType { UTType(ContentType.application) }

  /// Application bundle.
  ///
  /// Identifier: `com.apple.application-bundle`.
  public static var applicationBundle: UTType { UTType(ContentType.applicationBundle) }

  /// App extension.
  ///
  /// Identifier: `com.apple.application-and-system-extension`.
  public static var applicationExtension: UTType { UTType(ContentType.applicationExtension) }

  /// Unix executable file.
  ///
  /// Identifier: `public.unix-executable`.
  public static var unixExecutable: UTType { UTType(ContentType.unixExecutable) }

  /// Windows executable.
  ///
  /// Identifier: `com.microsoft.windows-executable`.
  public static var exe: UTType { UTType(ContentType.exe) }

  /// Preference pane.
  ///
  /// Identifier: `com.apple.systempreference.prefpane`.
  public static var systemPreferencesPane: UTType { UTType(ContentType.systemPreferencesPane) }

  /// Archive of files.
  ///
  /// Identifier: `public.archive`.
  public static var archive: UTType { UTType(ContentType.archive) }

  /// Gzip.
  ///
  /// Identifier: `org.gnu.gnu-zip-archive`.
  public static var gzip: UTType { UTType(ContentType.gzip) }

  /// Bzip2.
  ///
  /// Identifier: `public.bzip2-archive`.
  public static var bz2: UTType { UTType(ContentType.bz2) }

  /// Zip.
  ///
  /// Identifier: `public.zip-archive`.
  public static var zip: UTType { UTType(ContentType.zip) }

  /// Apple Archive.
  ///
  /// Identifier: `com.apple.archive`.
  public static var appleArchive: UTType { UTType(ContentType.appleArchive) }

  /// Spreadsheet document.
  ///
  /// Identifier: `public.spreadsheet`.
  public static var spreadsheet: UTType { UTType(ContentType.spreadsheet) }

  /// Presentation document.
  ///
  /// Identifier: `public.presentation`.
  public static var presentation: UTType { UTType(ContentType.presentation) }

  /// Database store.
  ///
  /// Identifier: `public.database`.
  public static var database: UTType { UTType(ContentType.database) }

  /// Message.
  ///
  /// Identifier: `public.message`.
  public static var message: UTType { UTType(ContentType.message) }

  /// Contact.
  ///
  /// Identifier: `public.contact`.
  public static var contact: UTType { UTType(ContentType.contact) }

  /// VCard.
  ///
  /// Identifier: `public.vcard`.
  public static var vCard: UTType { UTType(ContentType.vCard) }

  /// To-do item.
  ///
  /// Identifier: `public.to-do-item`.
  public static var toDoItem: UTType { UTType(ContentType.toDoItem) }

  /// Calendar event.
  ///
  /// Identifier: `public.calendar-event`.
  public static var calendarEvent: UTType { UTType(ContentType.calendarEvent) }

  /// E-mail message.
  ///
  /// Identifier: `public.email-message`.
  public static var emailMessage: UTType { UTType(ContentType.emailMessage) }

  /// Apple internet location file.
  ///
  /// Identifier: `com.apple.internet-location`.
  public static var internetLocation: UTType { UTType(ContentType.internetLocation) }

  /// Windows .url shortcut.
  ///
  /// Identifier: `com.microsoft.internet-shortcut`.
  public static var internetShortcut: UTType { UTType(ContentType.internetShortcut) }

  /// Font.
  ///
  /// Identifier: `public.font`.
  public static var font: UTType { UTType(ContentType.font) }

  /// Bookmark.
  ///
  /// Identifier: `public.bookmark`.
  public static var bookmark: UTType { UTType(ContentType.bookmark) }

  /// PKCS#12 bundle.
  ///
  /// Identifier: `com.rsa.pkcs-12`.
  public static var pkcs12: UTType { UTType(ContentType.pkcs12) }

  /// X.509 certificate.
  ///
  /// Identifier: `public.x509-certificate`.
  public static var x509Certificate: UTType { UTType(ContentType.x509Certificate) }

  /// EPUB.
  ///
  /// Identifier: `org.idpf.epub-container`.
  public static var epub: UTType { UTType(ContentType.epub) }

  /// Log file.
  ///
  /// Identifier: `public.log`.
  public static var log: UTType { UTType(ContentType.log) }

  /// Apple haptic pattern.
  ///
  /// Identifier: `com.apple.haptics.ahap`.
  public static var ahap: UTType { UTType(ContentType.ahap) }

  /// CSS.
  ///
  /// Identifier: `public.css`.
  public static var css: UTType { UTType(ContentType.css) }

  /// HEIC image sequence.
  ///
  /// Identifier: `public.heics`.
  public static var heics: UTType { UTType(ContentType.heics) }

  /// OpenEXR.
  ///
  /// Identifier: `com.ilm.openexr-image`.
  public static var exr: UTType { UTType(ContentType.exr) }

  /// Adobe DNG.
  ///
  /// Identifier: `com.adobe.raw-image`.
  public static var dng: UTType { UTType(ContentType.dng) }

  /// JPEG XL.
  ///
  /// Identifier: `public.jpeg-xl`.
  public static var jpegxl: UTType { UTType(ContentType.jpegxl) }

  /// Tar archive.
  ///
  /// Identifier: `public.tar-archive`.
  public static var tarArchive: UTType { UTType(ContentType.tarArchive) }

  /// GeoJSON.
  ///
  /// Identifier: `public.geojson`.
  public static var geoJSON: UTType { UTType(ContentType.geoJSON) }

  /// Link Presentation metadata.
  ///
  /// Identifier: `com.apple.linkpresentation.metadata`.
  public static var linkPresentationMetadata: UTType { UTType(ContentType.linkPresentationMetadata) }

  /// Markdown.
  ///
  /// Identifier: `net.daringfireball.markdown`.
  public static var markdown: UTType { UTType(ContentType.markdown) }
}
