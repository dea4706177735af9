// swift-format-ignore-file

extension ContentType {
  /// Root of the physical hierarchy (anything file-like).
  ///
  /// Identifier: `public.item`.
  public static var item: ContentType { ContentType(systemRow: 43284) }

  /// Root of the functional hierarchy: user-viewable content.
  ///
  /// Identifier: `public.content`.
  public static var content: ContentType { ContentType(systemRow: 41292) }

  /// Content that can embed other content.
  ///
  /// Identifier: `public.composite-content`.
  public static var compositeContent: ContentType { ContentType(systemRow: 41224) }

  /// Mountable disk image.
  ///
  /// Identifier: `public.disk-image`.
  public static var diskImage: ContentType { ContentType(systemRow: 41631) }

  /// Byte stream (flat file or in-memory data).
  ///
  /// Identifier: `public.data`.
  public static var data: ContentType { ContentType(systemRow: 41420) }

  /// Any file-system directory.
  ///
  /// Identifier: `public.directory`.
  public static var directory: ContentType { ContentType(systemRow: 41570) }

  /// Pointer that resolves to another item (alias, symlink, bookmark).
  ///
  /// Identifier: `com.apple.resolvable`.
  public static var resolvable: ContentType { ContentType(systemRow: 21241) }

  /// Symbolic link.
  ///
  /// Identifier: `public.symlink`.
  public static var symbolicLink: ContentType { ContentType(systemRow: 46886) }

  /// Anything executable.
  ///
  /// Identifier: `public.executable`.
  public static var executable: ContentType { ContentType(systemRow: 42145) }

  /// Volume mount point.
  ///
  /// Identifier: `com.apple.mount-point`.
  public static var mountPoint: ContentType { ContentType(systemRow: 19058) }

  /// Finder alias file.
  ///
  /// Identifier: `com.apple.alias-file`.
  public static var aliasFile: ContentType { ContentType(systemRow: 1568) }

  /// URL bookmark blob.
  ///
  /// Identifier: `com.apple.bookmark`.
  public static var urlBookmarkData: ContentType { ContentType(systemRow: 2596) }

  /// URL bytes.
  ///
  /// Identifier: `public.url`.
  public static var url: ContentType { ContentType(systemRow: 47529) }

  /// File URL bytes.
  ///
  /// Identifier: `public.file-url`.
  public static var fileURL: ContentType { ContentType(systemRow: 42218) }

  /// Any textual data, markup included.
  ///
  /// Identifier: `public.text`.
  public static var text: ContentType { ContentType(systemRow: 47182) }

  /// Text without markup, unspecified encoding.
  ///
  /// Identifier: `public.plain-text`.
  public static var plainText: ContentType { ContentType(systemRow: 45759) }

  /// Plain text in UTF-8.
  ///
  /// Identifier: `public.utf8-plain-text`.
  public static var utf8PlainText: ContentType { ContentType(systemRow: 47734) }

  /// Plain text in UTF-16 with BOM (external representation).
  ///
  /// Identifier: `public.utf16-external-plain-text`.
  public static var utf16ExternalPlainText: ContentType { ContentType(systemRow: 47596) }

  /// Plain text in native-order UTF-16.
  ///
  /// Identifier: `public.utf16-plain-text`.
  public static var utf16PlainText: ContentType { ContentType(systemRow: 47639) }

  /// Delimiter-separated values.
  ///
  /// Identifier: `public.delimited-values-text`.
  public static var delimitedText: ContentType { ContentType(systemRow: 41526) }

  /// CSV.
  ///
  /// Identifier: `public.comma-separated-values-text`.
  public static var commaSeparatedText: ContentType { ContentType(systemRow: 41096) }

  /// TSV, unspecified encoding.
  ///
  /// Identifier: `public.tab-separated-values-text`.
  public static var tabSeparatedText: ContentType { ContentType(systemRow: 46947) }

  /// TSV in UTF-8.
  ///
  /// Identifier: `public.utf8-tab-separated-values-text`.
  public static var utf8TabSeparatedText: ContentType { ContentType(systemRow: 47842) }

  /// RTF.
  ///
  /// Identifier: `public.rtf`.
  public static var rtf: ContentType { ContentType(systemRow: 46261) }

  /// HTML.
  ///
  /// Identifier: `public.html`.
  public static var html: ContentType { ContentType(systemRow: 43198) }

  /// XML.
  ///
  /// Identifier: `public.xml`.
  public static var xml: ContentType { ContentType(systemRow: 48434) }

  /// YAML.
  ///
  /// Identifier: `public.yaml`.
  public static var yaml: ContentType { ContentType(systemRow: 48553) }

  /// Source code.
  ///
  /// Identifier: `public.source-code`.
  public static var sourceCode: ContentType { ContentType(systemRow: 46572) }

  /// Assembly source.
  ///
  /// Identifier: `public.assembly-source`.
  public static var assemblyLanguageSource: ContentType { ContentType(systemRow: 39715) }

  /// C source.
  ///
  /// Identifier: `public.c-source`.
  public static var cSource: ContentType { ContentType(systemRow: 40700) }

  /// Objective-C source.
  ///
  /// Identifier: `public.objective-c-source`.
  public static var objectiveCSource: ContentType { ContentType(systemRow: 45199) }

  /// Swift source.
  ///
  /// Identifier: `public.swift-source`.
  public static var swiftSource: ContentType { ContentType(systemRow: 46857) }

  /// C++ source.
  ///
  /// Identifier: `public.c-plus-plus-source`.
  public static var cPlusPlusSource: ContentType { ContentType(systemRow: 40589) }

  /// Objective-C++ source.
  ///
  /// Identifier: `public.objective-c-plus-plus-source`.
  public static var objectiveCPlusPlusSource: ContentType { ContentType(systemRow: 45079) }

  /// C header.
  ///
  /// Identifier: `public.c-header`.
  public static var cHeader: ContentType { ContentType(systemRow: 40428) }

  /// C++ header.
  ///
  /// Identifier: `public.c-plus-plus-header`.
  public static var cPlusPlusHeader: ContentType { ContentType(systemRow: 40475) }

  /// Script source.
  ///
  /// Identifier: `public.script`.
  public static var script: ContentType { ContentType(systemRow: 46455) }

  /// AppleScript text.
  ///
  /// Identifier: `com.apple.applescript.text`.
  public static var appleScript: ContentType { ContentType(systemRow: 1780) }

  /// Compiled OSA script.
  ///
  /// Identifier: `com.apple.applescript.script`.
  public static var osaScript: ContentType { ContentType(systemRow: 1678) }

  /// OSA script bundle.
  ///
  /// Identifier: `com.apple.applescript.script-bundle`.
  public static var osaScriptBundle: ContentType { ContentType(systemRow: 1733) }

  /// JavaScript.
  ///
  /// Identifier: `com.netscape.javascript-source`.
  public static var javaScript: ContentType { ContentType(systemRow: 27341) }

  /// Shell script.
  ///
  /// Identifier: `public.shell-script`.
  public static var shellScript: ContentType { ContentType(systemRow: 46484) }

  /// Perl script.
  ///
  /// Identifier: `public.perl-script`.
  public static var perlScript: ContentType { ContentType(systemRow: 45566) }

  /// Python script.
  ///
  /// Identifier: `public.python-script`.
  public static var pythonScript: ContentType { ContentType(systemRow: 46136) }

  /// Ruby script.
  ///
  /// Identifier: `public.ruby-script`.
  public static var rubyScript: ContentType { ContentType(systemRow: 46324) }

  /// PHP script.
  ///
  /// Identifier: `public.php-script`.
  public static var phpScript: ContentType { ContentType(systemRow: 45646) }

  /// Makefile.
  ///
  /// Identifier: `public.make-source`.
  public static var makefile: ContentType { ContentType(systemRow: 43902) }

  /// JSON.
  ///
  /// Identifier: `public.json`.
  public static var json: ContentType { ContentType(systemRow: 43542) }

  /// Property list, any encoding.
  ///
  /// Identifier: `com.apple.property-list`.
  public static var propertyList: ContentType { ContentType(systemRow: 20626) }

  /// XML property list.
  ///
  /// Identifier: `com.apple.xml-property-list`.
  public static var xmlPropertyList: ContentType { ContentType(systemRow: 23330) }

  /// Binary property list.
  ///
  /// Identifier: `com.apple.binary-property-list`.
  public static var binaryPropertyList: ContentType { ContentType(systemRow: 2328) }

  /// PDF.
  ///
  /// Identifier: `com.adobe.pdf`.
  public static var pdf: ContentType { ContentType(systemRow: 356) }

  /// RTFD package.
  ///
  /// Identifier: `com.apple.rtfd`.
  public static var rtfd: ContentType { ContentType(systemRow: 21291) }

  /// Flattened RTFD (pasteboard form).
  ///
  /// Identifier: `com.apple.flat-rtfd`.
  public static var flatRTFD: ContentType { ContentType(systemRow: 4625) }

  /// WebKit web archive.
  ///
  /// Identifier: `com.apple.webarchive`.
  public static var webArchive: ContentType { ContentType(systemRow: 23062) }

  /// Any still image.
  ///
  /// Identifier: `public.image`.
  public static var image: ContentType { ContentType(systemRow: 43257) }

  /// JPEG.
  ///
  /// Identifier: `public.jpeg`.
  public static var jpeg: ContentType { ContentType(systemRow: 43300) }

  /// TIFF.
  ///
  /// Identifier: `public.tiff`.
  public static var tiff: ContentType { ContentType(systemRow: 47209) }

  /// GIF.
  ///
  /// Identifier: `com.compuserve.gif`.
  public static var gif: ContentType { ContentType(systemRow: 23806) }

  /// PNG.
  ///
  /// Identifier: `public.png`.
  public static var png: ContentType { ContentType(systemRow: 45919) }

  /// Apple icon family.
  ///
  /// Identifier: `com.apple.icns`.
  public static var icns: ContentType { ContentType(systemRow: 5765) }

  /// Windows bitmap.
  ///
  /// Identifier: `com.microsoft.bmp`.
  public static var bmp: ContentType { ContentType(systemRow: 24262) }

  /// Windows icon.
  ///
  /// Identifier: `com.microsoft.ico`.
  public static var ico: ContentType { ContentType(systemRow: 25151) }

  /// Camera raw, any vendor.
  ///
  /// Identifier: `public.camera-raw-image`.
  public static var rawImage: ContentType { ContentType(systemRow: 40825) }

  /// SVG.
  ///
  /// Identifier: `public.svg-image`.
  public static var svg: ContentType { ContentType(systemRow: 46788) }

  /// Live Photo.
  ///
  /// Identifier: `com.apple.live-photo`.
  public static var livePhoto: ContentType { ContentType(systemRow: 13195) }

  /// HEIF image.
  ///
  /// Identifier: `public.heif`.
  public static var heif: ContentType { ContentType(systemRow: 43043) }

  /// HEIC image.
  ///
  /// Identifier: `public.heic`.
  public static var heic: ContentType { ContentType(systemRow: 42911) }

  /// WebP.
  ///
  /// Identifier: `org.webmproject.webp`.
  public static var webP: ContentType { ContentType(systemRow: 36983) }

  /// Any 3D content.
  ///
  /// Identifier: `public.3d-content`.
  public static var threeDContent: ContentType { ContentType(systemRow: 37094) }

  /// Universal Scene Description.
  ///
  /// Identifier: `com.pixar.universal-scene-description`.
  public static var usd: ContentType { ContentType(systemRow: 27497) }

  /// USDZ archive.
  ///
  /// Identifier: `com.pixar.universal-scene-description-mobile`.
  public static var usdz: ContentType { ContentType(systemRow: 27570) }

  /// Reality file.
  ///
  /// Identifier: `com.apple.reality`.
  public static var realityFile: ContentType { ContentType(systemRow: 21187) }

  /// SceneKit scene.
  ///
  /// Identifier: `com.apple.scenekit.scene`.
  public static var sceneKitScene: ContentType { ContentType(systemRow: 21335) }

  /// AR reference object.
  ///
  /// Identifier: `com.apple.arobject`.
  public static var arReferenceObject: ContentType { ContentType(systemRow: 2185) }

  /// Audio and/or video.
  ///
  /// Identifier: `public.audiovisual-content`.
  public static var audiovisualContent: ContentType { ContentType(systemRow: 39827) }

  /// Media container that may hold video and audio.
  ///
  /// Identifier: `public.movie`.
  public static var movie: ContentType { ContentType(systemRow: 44123) }

  /// Video without audio.
  ///
  /// Identifier: `public.video`.
  public static var video: ContentType { ContentType(systemRow: 48110) }

  /// Audio without video.
  ///
  /// Identifier: `public.audio`.
  public static var audio: ContentType { ContentType(systemRow: 39791) }

  /// QuickTime movie.
  ///
  /// Identifier: `com.apple.quicktime-movie`.
  public static var quickTimeMovie: ContentType { ContentType(systemRow: 21124) }

  /// MPEG-1/2 movie.
  ///
  /// Identifier: `public.mpeg`.
  public static var mpeg: ContentType { ContentType(systemRow: 44421) }

  /// MPEG-2 video.
  ///
  /// Identifier: `public.mpeg-2-video`.
  public static var mpeg2Video: ContentType { ContentType(systemRow: 44642) }

  /// MPEG-2 transport stream.
  ///
  /// Identifier: `public.mpeg-2-transport-stream`.
  public static var mpeg2TransportStream: ContentType { ContentType(systemRow: 44601) }

  /// MP3.
  ///
  /// Identifier: `public.mp3`.
  public static var mp3: ContentType { ContentType(systemRow: 44166) }

  /// MPEG-4 movie.
  ///
  /// Identifier: `public.mpeg-4`.
  public static var mpeg4Movie: ContentType { ContentType(systemRow: 44759) }

  /// MPEG-4 audio.
  ///
  /// Identifier: `public.mpeg-4-audio`.
  public static var mpeg4Audio: ContentType { ContentType(systemRow: 44842) }

  /// FairPlay MPEG-4 audio.
  ///
  /// Identifier: `com.apple.protected-mpeg-4-audio`.
  public static var appleProtectedMPEG4Audio: ContentType { ContentType(systemRow: 20673) }

  /// FairPlay MPEG-4 video.
  ///
  /// Identifier: `com.apple.protected-mpeg-4-video`.
  public static var appleProtectedMPEG4Video: ContentType { ContentType(systemRow: 20784) }

  /// AVI.
  ///
  /// Identifier: `public.avi`.
  public static var avi: ContentType { ContentType(systemRow: 40009) }

  /// AIFF.
  ///
  /// Identifier: `public.aiff-audio`.
  public static var aiff: ContentType { ContentType(systemRow: 37622) }

  /// WAVE.
  ///
  /// Identifier: `com.microsoft.waveform-audio`.
  public static var wav: ContentType { ContentType(systemRow: 25998) }

  /// MIDI.
  ///
  /// Identifier: `public.midi-audio`.
  public static var midi: ContentType { ContentType(systemRow: 43978) }

  /// Playlist.
  ///
  /// Identifier: `public.playlist`.
  public static var playlist: ContentType { ContentType(systemRow: 45812) }

  /// M3U playlist.
  ///
  /// Identifier: `public.m3u-playlist`.
  public static var m3uPlaylist: ContentType { ContentType(systemRow: 43713) }

  /// User-browsable directory (not a package).
  ///
  /// Identifier: `public.folder`.
  public static var folder: ContentType { ContentType(systemRow: 42326) }

  /// Root folder of a volume.
  ///
  /// Identifier: `public.volume`.
  public static var volume: ContentType { ContentType(systemRow: 48133) }

  /// Directory presented as one file.
  ///
  /// Identifier: `com.apple.package`.
  public static var package: ContentType { ContentType(systemRow: 19433) }

  /// Directory with bundle layout.
  ///
  /// Identifier: `com.apple.bundle`.
  public static var bundle: ContentType { ContentType(systemRow: 2628) }

  /// Plug-in bundle.
  ///
  /// Identifier: `com.apple.plugin`.
  public static var pluginBundle: ContentType { ContentType(systemRow: 19956) }

  /// Spotlight importer.
  ///
  /// Identifier: `com.apple.metadata-importer`.
  public static var spotlightImporter: ContentType { ContentType(systemRow: 18843) }

  /// Quick Look generator.
  ///
  /// Identifier: `com.apple.quicklook-generator`.
  public static var quickLookGenerator: ContentType { ContentType(systemRow: 21001) }

  /// XPC service.
  ///
  /// Identifier: `com.apple.xpc-service`.
  public static var xpcService: ContentType { ContentType(systemRow: 23372) }

  /// Framework bundle.
  ///
  /// Identifier: `com.apple.framework`.
  public static var framework: ContentType { ContentType(systemRow: 4697) }

  /// Application.
  ///
  /// Identifier: `com.apple.application`.
  public static var application: ContentType { ContentType(systemRow: 1869) }

  /// Application bundle.
  ///
  /// Identifier: `com.apple.application-bundle`.
  public static var applicationBundle: ContentType { ContentType(systemRow: 1964) }

  /// App extension.
  ///
  /// Identifier: `com.apple.application-and-system-extension`.
  public static var applicationExtension: ContentType { ContentType(systemRow: 1921) }

  /// Unix executable file.
  ///
  /// Identifier: `public.unix-executable`.
  public static var unixExecutable: ContentType { ContentType(systemRow: 47479) }

  /// Windows executable.
  ///
  /// Identifier: `com.microsoft.windows-executable`.
  public static var exe: ContentType { ContentType(systemRow: 26220) }

  /// Preference pane.
  ///
  /// Identifier: `com.apple.systempreference.prefpane`.
  public static var systemPreferencesPane: ContentType { ContentType(systemRow: 22246) }

  /// Archive of files.
  ///
  /// Identifier: `public.archive`.
  public static var archive: ContentType { ContentType(systemRow: 39688) }

  /// Gzip.
  ///
  /// Identifier: `org.gnu.gnu-zip-archive`.
  public static var gzip: ContentType { ContentType(systemRow: 29567) }

  /// Bzip2.
  ///
  /// Identifier: `public.bzip2-archive`.
  public static var bz2: ContentType { ContentType(systemRow: 40244) }

  /// Zip.
  ///
  /// Identifier: `public.zip-archive`.
  public static var zip: ContentType { ContentType(systemRow: 48724) }

  /// Apple Archive.
  ///
  /// Identifier: `com.apple.archive`.
  public static var appleArchive: ContentType { ContentType(systemRow: 2144) }

  /// Spreadsheet document.
  ///
  /// Identifier: `public.spreadsheet`.
  public static var spreadsheet: ContentType { ContentType(systemRow: 46660) }

  /// Presentation document.
  ///
  /// Identifier: `public.presentation`.
  public static var presentation: ContentType { ContentType(systemRow: 46106) }

  /// Database store.
  ///
  /// Identifier: `public.database`.
  public static var database: ContentType { ContentType(systemRow: 41493) }

  /// Message.
  ///
  /// Identifier: `public.message`.
  public static var message: ContentType { ContentType(systemRow: 43956) }

  /// Contact.
  ///
  /// Identifier: `public.contact`.
  public static var contact: ContentType { ContentType(systemRow: 41273) }

  /// VCard.
  ///
  /// Identifier: `public.vcard`.
  public static var vCard: ContentType { ContentType(systemRow: 47997) }

  /// To-do item.
  ///
  /// Identifier: `public.to-do-item`.
  public static var toDoItem: ContentType { ContentType(systemRow: 47264) }

  /// Calendar event.
  ///
  /// Identifier: `public.calendar-event`.
  public static var calendarEvent: ContentType { ContentType(systemRow: 40797) }

  /// E-mail message.
  ///
  /// Identifier: `public.email-message`.
  public static var emailMessage: ContentType { ContentType(systemRow: 42051) }

  /// Apple internet location file.
  ///
  /// Identifier: `com.apple.internet-location`.
  public static var internetLocation: ContentType { ContentType(systemRow: 9306) }

  /// Windows .url shortcut.
  ///
  /// Identifier: `com.microsoft.internet-shortcut`.
  public static var internetShortcut: ContentType { ContentType(systemRow: 25314) }

  /// Font.
  ///
  /// Identifier: `public.font`.
  public static var font: ContentType { ContentType(systemRow: 42381) }

  /// Bookmark.
  ///
  /// Identifier: `public.bookmark`.
  public static var bookmark: ContentType { ContentType(systemRow: 40219) }

  /// PKCS#12 bundle.
  ///
  /// Identifier: `com.rsa.pkcs-12`.
  public static var pkcs12: ContentType { ContentType(systemRow: 28036) }

  /// X.509 certificate.
  ///
  /// Identifier: `public.x509-certificate`.
  public static var x509Certificate: ContentType { ContentType(systemRow: 48183) }

  /// EPUB.
  ///
  /// Identifier: `org.idpf.epub-container`.
  public static var epub: ContentType { ContentType(systemRow: 29723) }

  /// Log file.
  ///
  /// Identifier: `public.log`.
  public static var log: ContentType { ContentType(systemRow: 43674) }

  /// Apple haptic pattern.
  ///
  /// Identifier: `com.apple.haptics.ahap`.
  public static var ahap: ContentType { ContentType(systemRow: 5262) }

  /// CSS.
  ///
  /// Identifier: `public.css`.
  public static var css: ContentType { ContentType(systemRow: 41380) }

  /// HEIC image sequence.
  ///
  /// Identifier: `public.heics`.
  public static var heics: ContentType { ContentType(systemRow: 42968) }

  /// OpenEXR.
  ///
  /// Identifier: `com.ilm.openexr-image`.
  public static var exr: ContentType { ContentType(systemRow: 23895) }

  /// Adobe DNG.
  ///
  /// Identifier: `com.adobe.raw-image`.
  public static var dng: ContentType { ContentType(systemRow: 1032) }

  /// JPEG XL.
  ///
  /// Identifier: `public.jpeg-xl`.
  public static var jpegxl: ContentType { ContentType(systemRow: 43500) }

  /// Tar archive.
  ///
  /// Identifier: `public.tar-archive`.
  public static var tarArchive: ContentType { ContentType(systemRow: 47034) }

  /// GeoJSON.
  ///
  /// Identifier: `public.geojson`.
  public static var geoJSON: ContentType { ContentType(systemRow: 42579) }

  /// Link Presentation metadata.
  ///
  /// Identifier: `com.apple.linkpresentation.metadata`.
  public static var linkPresentationMetadata: ContentType { ContentType(systemRow: 13165) }

  /// Markdown.
  ///
  /// Identifier: `net.daringfireball.markdown`.
  public static var markdown: ContentType { ContentType(systemRow: 29170) }
}
