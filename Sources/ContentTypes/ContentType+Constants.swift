// swift-format-ignore-file

extension ContentType {
  /// Root of the physical hierarchy (anything file-like).
  ///
  /// Identifier: `public.item`.
  public static var item: ContentType { ContentType(systemRow: 43983) }

  /// Root of the functional hierarchy: user-viewable content.
  ///
  /// Identifier: `public.content`.
  public static var content: ContentType { ContentType(systemRow: 41900) }

  /// Content that can embed other content.
  ///
  /// Identifier: `public.composite-content`.
  public static var compositeContent: ContentType { ContentType(systemRow: 41832) }

  /// Mountable disk image.
  ///
  /// Identifier: `public.disk-image`.
  public static var diskImage: ContentType { ContentType(systemRow: 42274) }

  /// Byte stream (flat file or in-memory data).
  ///
  /// Identifier: `public.data`.
  public static var data: ContentType { ContentType(systemRow: 42063) }

  /// Any file-system directory.
  ///
  /// Identifier: `public.directory`.
  public static var directory: ContentType { ContentType(systemRow: 42213) }

  /// Pointer that resolves to another item (alias, symlink, bookmark).
  ///
  /// Identifier: `com.apple.resolvable`.
  public static var resolvable: ContentType { ContentType(systemRow: 21495) }

  /// Symbolic link.
  ///
  /// Identifier: `public.symlink`.
  public static var symbolicLink: ContentType { ContentType(systemRow: 47698) }

  /// Anything executable.
  ///
  /// Identifier: `public.executable`.
  public static var executable: ContentType { ContentType(systemRow: 42796) }

  /// Volume mount point.
  ///
  /// Identifier: `com.apple.mount-point`.
  public static var mountPoint: ContentType { ContentType(systemRow: 19301) }

  /// Finder alias file.
  ///
  /// Identifier: `com.apple.alias-file`.
  public static var aliasFile: ContentType { ContentType(systemRow: 1684) }

  /// URL bookmark blob.
  ///
  /// Identifier: `com.apple.bookmark`.
  public static var urlBookmarkData: ContentType { ContentType(systemRow: 2712) }

  /// URL bytes.
  ///
  /// Identifier: `public.url`.
  public static var url: ContentType { ContentType(systemRow: 48389) }

  /// File URL bytes.
  ///
  /// Identifier: `public.file-url`.
  public static var fileURL: ContentType { ContentType(systemRow: 42869) }

  /// Any textual data, markup included.
  ///
  /// Identifier: `public.text`.
  public static var text: ContentType { ContentType(systemRow: 48027) }

  /// Text without markup, unspecified encoding.
  ///
  /// Identifier: `public.plain-text`.
  public static var plainText: ContentType { ContentType(systemRow: 46525) }

  /// Plain text in UTF-8.
  ///
  /// Identifier: `public.utf8-plain-text`.
  public static var utf8PlainText: ContentType { ContentType(systemRow: 48594) }

  /// Plain text in UTF-16 with BOM (external representation).
  ///
  /// Identifier: `public.utf16-external-plain-text`.
  public static var utf16ExternalPlainText: ContentType { ContentType(systemRow: 48456) }

  /// Plain text in native-order UTF-16.
  ///
  /// Identifier: `public.utf16-plain-text`.
  public static var utf16PlainText: ContentType { ContentType(systemRow: 48499) }

  /// Delimiter-separated values.
  ///
  /// Identifier: `public.delimited-values-text`.
  public static var delimitedText: ContentType { ContentType(systemRow: 42169) }

  /// CSV.
  ///
  /// Identifier: `public.comma-separated-values-text`.
  public static var commaSeparatedText: ContentType { ContentType(systemRow: 41704) }

  /// TSV, unspecified encoding.
  ///
  /// Identifier: `public.tab-separated-values-text`.
  public static var tabSeparatedText: ContentType { ContentType(systemRow: 47759) }

  /// TSV in UTF-8.
  ///
  /// Identifier: `public.utf8-tab-separated-values-text`.
  public static var utf8TabSeparatedText: ContentType { ContentType(systemRow: 48702) }

  /// RTF.
  ///
  /// Identifier: `public.rtf`.
  public static var rtf: ContentType { ContentType(systemRow: 47027) }

  /// HTML.
  ///
  /// Identifier: `public.html`.
  public static var html: ContentType { ContentType(systemRow: 43897) }

  /// XML.
  ///
  /// Identifier: `public.xml`.
  public static var xml: ContentType { ContentType(systemRow: 49294) }

  /// YAML.
  ///
  /// Identifier: `public.yaml`.
  public static var yaml: ContentType { ContentType(systemRow: 49413) }

  /// Source code.
  ///
  /// Identifier: `public.source-code`.
  public static var sourceCode: ContentType { ContentType(systemRow: 47338) }

  /// Assembly source.
  ///
  /// Identifier: `public.assembly-source`.
  public static var assemblyLanguageSource: ContentType { ContentType(systemRow: 40323) }

  /// C source.
  ///
  /// Identifier: `public.c-source`.
  public static var cSource: ContentType { ContentType(systemRow: 41308) }

  /// Objective-C source.
  ///
  /// Identifier: `public.objective-c-source`.
  public static var objectiveCSource: ContentType { ContentType(systemRow: 45928) }

  /// Swift source.
  ///
  /// Identifier: `public.swift-source`.
  public static var swiftSource: ContentType { ContentType(systemRow: 47669) }

  /// C++ source.
  ///
  /// Identifier: `public.c-plus-plus-source`.
  public static var cPlusPlusSource: ContentType { ContentType(systemRow: 41197) }

  /// Objective-C++ source.
  ///
  /// Identifier: `public.objective-c-plus-plus-source`.
  public static var objectiveCPlusPlusSource: ContentType { ContentType(systemRow: 45808) }

  /// C header.
  ///
  /// Identifier: `public.c-header`.
  public static var cHeader: ContentType { ContentType(systemRow: 41036) }

  /// C++ header.
  ///
  /// Identifier: `public.c-plus-plus-header`.
  public static var cPlusPlusHeader: ContentType { ContentType(systemRow: 41083) }

  /// Script source.
  ///
  /// Identifier: `public.script`.
  public static var script: ContentType { ContentType(systemRow: 47221) }

  /// AppleScript text.
  ///
  /// Identifier: `com.apple.applescript.text`.
  public static var appleScript: ContentType { ContentType(systemRow: 1896) }

  /// Compiled OSA script.
  ///
  /// Identifier: `com.apple.applescript.script`.
  public static var osaScript: ContentType { ContentType(systemRow: 1794) }

  /// OSA script bundle.
  ///
  /// Identifier: `com.apple.applescript.script-bundle`.
  public static var osaScriptBundle: ContentType { ContentType(systemRow: 1849) }

  /// JavaScript.
  ///
  /// Identifier: `com.netscape.javascript-source`.
  public static var javaScript: ContentType { ContentType(systemRow: 27700) }

  /// Shell script.
  ///
  /// Identifier: `public.shell-script`.
  public static var shellScript: ContentType { ContentType(systemRow: 47250) }

  /// Perl script.
  ///
  /// Identifier: `public.perl-script`.
  public static var perlScript: ContentType { ContentType(systemRow: 46332) }

  /// Python script.
  ///
  /// Identifier: `public.python-script`.
  public static var pythonScript: ContentType { ContentType(systemRow: 46902) }

  /// Ruby script.
  ///
  /// Identifier: `public.ruby-script`.
  public static var rubyScript: ContentType { ContentType(systemRow: 47090) }

  /// PHP script.
  ///
  /// Identifier: `public.php-script`.
  public static var phpScript: ContentType { ContentType(systemRow: 46412) }

  /// Makefile.
  ///
  /// Identifier: `public.make-source`.
  public static var makefile: ContentType { ContentType(systemRow: 44601) }

  /// JSON.
  ///
  /// Identifier: `public.json`.
  public static var json: ContentType { ContentType(systemRow: 44241) }

  /// Property list, any encoding.
  ///
  /// Identifier: `com.apple.property-list`.
  public static var propertyList: ContentType { ContentType(systemRow: 20869) }

  /// XML property list.
  ///
  /// Identifier: `com.apple.xml-property-list`.
  public static var xmlPropertyList: ContentType { ContentType(systemRow: 23601) }

  /// Binary property list.
  ///
  /// Identifier: `com.apple.binary-property-list`.
  public static var binaryPropertyList: ContentType { ContentType(systemRow: 2444) }

  /// PDF.
  ///
  /// Identifier: `com.adobe.pdf`.
  public static var pdf: ContentType { ContentType(systemRow: 424) }

  /// RTFD package.
  ///
  /// Identifier: `com.apple.rtfd`.
  public static var rtfd: ContentType { ContentType(systemRow: 21545) }

  /// Flattened RTFD (pasteboard form).
  ///
  /// Identifier: `com.apple.flat-rtfd`.
  public static var flatRTFD: ContentType { ContentType(systemRow: 4767) }

  /// WebKit web archive.
  ///
  /// Identifier: `com.apple.webarchive`.
  public static var webArchive: ContentType { ContentType(systemRow: 23316) }

  /// Any still image.
  ///
  /// Identifier: `public.image`.
  public static var image: ContentType { ContentType(systemRow: 43956) }

  /// JPEG.
  ///
  /// Identifier: `public.jpeg`.
  public static var jpeg: ContentType { ContentType(systemRow: 43999) }

  /// TIFF.
  ///
  /// Identifier: `public.tiff`.
  public static var tiff: ContentType { ContentType(systemRow: 48054) }

  /// GIF.
  ///
  /// Identifier: `com.compuserve.gif`.
  public static var gif: ContentType { ContentType(systemRow: 24077) }

  /// PNG.
  ///
  /// Identifier: `public.png`.
  public static var png: ContentType { ContentType(systemRow: 46685) }

  /// Apple icon family.
  ///
  /// Identifier: `com.apple.icns`.
  public static var icns: ContentType { ContentType(systemRow: 5907) }

  /// Windows bitmap.
  ///
  /// Identifier: `com.microsoft.bmp`.
  public static var bmp: ContentType { ContentType(systemRow: 24533) }

  /// Windows icon.
  ///
  /// Identifier: `com.microsoft.ico`.
  public static var ico: ContentType { ContentType(systemRow: 25486) }

  /// Camera raw, any vendor.
  ///
  /// Identifier: `public.camera-raw-image`.
  public static var rawImage: ContentType { ContentType(systemRow: 41433) }

  /// SVG.
  ///
  /// Identifier: `public.svg-image`.
  public static var svg: ContentType { ContentType(systemRow: 47600) }

  /// Live Photo.
  ///
  /// Identifier: `com.apple.live-photo`.
  public static var livePhoto: ContentType { ContentType(systemRow: 13422) }

  /// HEIF image.
  ///
  /// Identifier: `public.heif`.
  public static var heif: ContentType { ContentType(systemRow: 43742) }

  /// HEIC image.
  ///
  /// Identifier: `public.heic`.
  public static var heic: ContentType { ContentType(systemRow: 43610) }

  /// WebP.
  ///
  /// Identifier: `org.webmproject.webp`.
  public static var webP: ContentType { ContentType(systemRow: 37552) }

  /// Any 3D content.
  ///
  /// Identifier: `public.3d-content`.
  public static var threeDContent: ContentType { ContentType(systemRow: 37663) }

  /// Universal Scene Description.
  ///
  /// Identifier: `com.pixar.universal-scene-description`.
  public static var usd: ContentType { ContentType(systemRow: 27856) }

  /// USDZ archive.
  ///
  /// Identifier: `com.pixar.universal-scene-description-mobile`.
  public static var usdz: ContentType { ContentType(systemRow: 27929) }

  /// Reality file.
  ///
  /// Identifier: `com.apple.reality`.
  public static var realityFile: ContentType { ContentType(systemRow: 21441) }

  /// SceneKit scene.
  ///
  /// Identifier: `com.apple.scenekit.scene`.
  public static var sceneKitScene: ContentType { ContentType(systemRow: 21589) }

  /// AR reference object.
  ///
  /// Identifier: `com.apple.arobject`.
  public static var arReferenceObject: ContentType { ContentType(systemRow: 2301) }

  /// Audio and/or video.
  ///
  /// Identifier: `public.audiovisual-content`.
  public static var audiovisualContent: ContentType { ContentType(systemRow: 40435) }

  /// Media container that may hold video and audio.
  ///
  /// Identifier: `public.movie`.
  public static var movie: ContentType { ContentType(systemRow: 44822) }

  /// Video without audio.
  ///
  /// Identifier: `public.video`.
  public static var video: ContentType { ContentType(systemRow: 48970) }

  /// Audio without video.
  ///
  /// Identifier: `public.audio`.
  public static var audio: ContentType { ContentType(systemRow: 40399) }

  /// QuickTime movie.
  ///
  /// Identifier: `com.apple.quicktime-movie`.
  public static var quickTimeMovie: ContentType { ContentType(systemRow: 21378) }

  /// MPEG-1/2 movie.
  ///
  /// Identifier: `public.mpeg`.
  public static var mpeg: ContentType { ContentType(systemRow: 45130) }

  /// MPEG-2 video.
  ///
  /// Identifier: `public.mpeg-2-video`.
  public static var mpeg2Video: ContentType { ContentType(systemRow: 45351) }

  /// MPEG-2 transport stream.
  ///
  /// Identifier: `public.mpeg-2-transport-stream`.
  public static var mpeg2TransportStream: ContentType { ContentType(systemRow: 45310) }

  /// MP3.
  ///
  /// Identifier: `public.mp3`.
  public static var mp3: ContentType { ContentType(systemRow: 44865) }

  /// MPEG-4 movie.
  ///
  /// Identifier: `public.mpeg-4`.
  public static var mpeg4Movie: ContentType { ContentType(systemRow: 45468) }

  /// MPEG-4 audio.
  ///
  /// Identifier: `public.mpeg-4-audio`.
  public static var mpeg4Audio: ContentType { ContentType(systemRow: 45551) }

  /// FairPlay MPEG-4 audio.
  ///
  /// Identifier: `com.apple.protected-mpeg-4-audio`.
  public static var appleProtectedMPEG4Audio: ContentType { ContentType(systemRow: 20916) }

  /// FairPlay MPEG-4 video.
  ///
  /// Identifier: `com.apple.protected-mpeg-4-video`.
  public static var appleProtectedMPEG4Video: ContentType { ContentType(systemRow: 21038) }

  /// AVI.
  ///
  /// Identifier: `public.avi`.
  public static var avi: ContentType { ContentType(systemRow: 40617) }

  /// AIFF.
  ///
  /// Identifier: `public.aiff-audio`.
  public static var aiff: ContentType { ContentType(systemRow: 38230) }

  /// WAVE.
  ///
  /// Identifier: `com.microsoft.waveform-audio`.
  public static var wav: ContentType { ContentType(systemRow: 26333) }

  /// MIDI.
  ///
  /// Identifier: `public.midi-audio`.
  public static var midi: ContentType { ContentType(systemRow: 44677) }

  /// Playlist.
  ///
  /// Identifier: `public.playlist`.
  public static var playlist: ContentType { ContentType(systemRow: 46578) }

  /// M3U playlist.
  ///
  /// Identifier: `public.m3u-playlist`.
  public static var m3uPlaylist: ContentType { ContentType(systemRow: 44412) }

  /// User-browsable directory (not a package).
  ///
  /// Identifier: `public.folder`.
  public static var folder: ContentType { ContentType(systemRow: 43011) }

  /// Root folder of a volume.
  ///
  /// Identifier: `public.volume`.
  public static var volume: ContentType { ContentType(systemRow: 48993) }

  /// Directory presented as one file.
  ///
  /// Identifier: `com.apple.package`.
  public static var package: ContentType { ContentType(systemRow: 19676) }

  /// Directory with bundle layout.
  ///
  /// Identifier: `com.apple.bundle`.
  public static var bundle: ContentType { ContentType(systemRow: 2744) }

  /// Plug-in bundle.
  ///
  /// Identifier: `com.apple.plugin`.
  public static var pluginBundle: ContentType { ContentType(systemRow: 20199) }

  /// Spotlight importer.
  ///
  /// Identifier: `com.apple.metadata-importer`.
  public static var spotlightImporter: ContentType { ContentType(systemRow: 19086) }

  /// Quick Look generator.
  ///
  /// Identifier: `com.apple.quicklook-generator`.
  public static var quickLookGenerator: ContentType { ContentType(systemRow: 21255) }

  /// XPC service.
  ///
  /// Identifier: `com.apple.xpc-service`.
  public static var xpcService: ContentType { ContentType(systemRow: 23643) }

  /// Framework bundle.
  ///
  /// Identifier: `com.apple.framework`.
  public static var framework: ContentType { ContentType(systemRow: 4839) }

  /// Application.
  ///
  /// Identifier: `com.apple.application`.
  public static var application: ContentType { ContentType(systemRow: 1985) }

  /// Application bundle.
  ///
  /// Identifier: `com.apple.application-bundle`.
  public static var applicationBundle: ContentType { ContentType(systemRow: 2080) }

  /// App extension.
  ///
  /// Identifier: `com.apple.application-and-system-extension`.
  public static var applicationExtension: ContentType { ContentType(systemRow: 2037) }

  /// Unix executable file.
  ///
  /// Identifier: `public.unix-executable`.
  public static var unixExecutable: ContentType { ContentType(systemRow: 48339) }

  /// Windows executable.
  ///
  /// Identifier: `com.microsoft.windows-executable`.
  public static var exe: ContentType { ContentType(systemRow: 26555) }

  /// Preference pane.
  ///
  /// Identifier: `com.apple.systempreference.prefpane`.
  public static var systemPreferencesPane: ContentType { ContentType(systemRow: 22500) }

  /// Archive of files.
  ///
  /// Identifier: `public.archive`.
  public static var archive: ContentType { ContentType(systemRow: 40296) }

  /// Gzip.
  ///
  /// Identifier: `org.gnu.gnu-zip-archive`.
  public static var gzip: ContentType { ContentType(systemRow: 30077) }

  /// Bzip2.
  ///
  /// Identifier: `public.bzip2-archive`.
  public static var bz2: ContentType { ContentType(systemRow: 40852) }

  /// Zip.
  ///
  /// Identifier: `public.zip-archive`.
  public static var zip: ContentType { ContentType(systemRow: 49584) }

  /// Apple Archive.
  ///
  /// Identifier: `com.apple.archive`.
  public static var appleArchive: ContentType { ContentType(systemRow: 2260) }

  /// Spreadsheet document.
  ///
  /// Identifier: `public.spreadsheet`.
  public static var spreadsheet: ContentType { ContentType(systemRow: 47426) }

  /// Presentation document.
  ///
  /// Identifier: `public.presentation`.
  public static var presentation: ContentType { ContentType(systemRow: 46872) }

  /// Database store.
  ///
  /// Identifier: `public.database`.
  public static var database: ContentType { ContentType(systemRow: 42136) }

  /// Message.
  ///
  /// Identifier: `public.message`.
  public static var message: ContentType { ContentType(systemRow: 44655) }

  /// Contact.
  ///
  /// Identifier: `public.contact`.
  public static var contact: ContentType { ContentType(systemRow: 41881) }

  /// VCard.
  ///
  /// Identifier: `public.vcard`.
  public static var vCard: ContentType { ContentType(systemRow: 48857) }

  /// To-do item.
  ///
  /// Identifier: `public.to-do-item`.
  public static var toDoItem: ContentType { ContentType(systemRow: 48109) }

  /// Calendar event.
  ///
  /// Identifier: `public.calendar-event`.
  public static var calendarEvent: ContentType { ContentType(systemRow: 41405) }

  /// E-mail message.
  ///
  /// Identifier: `public.email-message`.
  public static var emailMessage: ContentType { ContentType(systemRow: 42702) }

  /// Apple internet location file.
  ///
  /// Identifier: `com.apple.internet-location`.
  public static var internetLocation: ContentType { ContentType(systemRow: 9448) }

  /// Windows .url shortcut.
  ///
  /// Identifier: `com.microsoft.internet-shortcut`.
  public static var internetShortcut: ContentType { ContentType(systemRow: 25649) }

  /// Font.
  ///
  /// Identifier: `public.font`.
  public static var font: ContentType { ContentType(systemRow: 43066) }

  /// Bookmark.
  ///
  /// Identifier: `public.bookmark`.
  public static var bookmark: ContentType { ContentType(systemRow: 40827) }

  /// PKCS#12 bundle.
  ///
  /// Identifier: `com.rsa.pkcs-12`.
  public static var pkcs12: ContentType { ContentType(systemRow: 28395) }

  /// X.509 certificate.
  ///
  /// Identifier: `public.x509-certificate`.
  public static var x509Certificate: ContentType { ContentType(systemRow: 49043) }

  /// EPUB.
  ///
  /// Identifier: `org.idpf.epub-container`.
  public static var epub: ContentType { ContentType(systemRow: 30261) }

  /// Log file.
  ///
  /// Identifier: `public.log`.
  public static var log: ContentType { ContentType(systemRow: 44373) }

  /// Apple haptic pattern.
  ///
  /// Identifier: `com.apple.haptics.ahap`.
  public static var ahap: ContentType { ContentType(systemRow: 5404) }

  /// CSS.
  ///
  /// Identifier: `public.css`.
  public static var css: ContentType { ContentType(systemRow: 42023) }

  /// HEIC image sequence.
  ///
  /// Identifier: `public.heics`.
  public static var heics: ContentType { ContentType(systemRow: 43667) }

  /// OpenEXR.
  ///
  /// Identifier: `com.ilm.openexr-image`.
  public static var exr: ContentType { ContentType(systemRow: 24166) }

  /// Adobe DNG.
  ///
  /// Identifier: `com.adobe.raw-image`.
  public static var dng: ContentType { ContentType(systemRow: 1148) }

  /// JPEG XL.
  ///
  /// Identifier: `public.jpeg-xl`.
  public static var jpegxl: ContentType { ContentType(systemRow: 44199) }

  /// Tar archive.
  ///
  /// Identifier: `public.tar-archive`.
  public static var tarArchive: ContentType { ContentType(systemRow: 47846) }

  /// GeoJSON.
  ///
  /// Identifier: `public.geojson`.
  public static var geoJSON: ContentType { ContentType(systemRow: 43278) }

  /// Link Presentation metadata.
  ///
  /// Identifier: `com.apple.linkpresentation.metadata`.
  public static var linkPresentationMetadata: ContentType { ContentType(systemRow: 13392) }

  /// Markdown.
  ///
  /// Identifier: `net.daringfireball.markdown`.
  public static var markdown: ContentType { ContentType(systemRow: 29680) }
}
