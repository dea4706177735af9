// What travels through a selection, and in which form. Pure: bytes in, bytes out.
//
// Going out, a value is a list of `Representation`s. `TargetTable.advertised(for:isSensitive:)`
// makes the list of data targets, each with the property type, the format and the `TargetEncoder`
// that answers a request for it. Coming in, `OfferedTargets` cleans the owner's list,
// `candidates(for:)` says which targets to try for a content type or a `TypeRequest`, and
// `TargetDecoder` reads the answer. Both directions read the names in `TargetTable`,
// `TargetName` and `OfferedTarget`.
//
// Decisions:
//
// 1. Text that is not UTF-8 is never offered as UTF8_STRING or with `charset=utf-8`: a plain text
//    keeps the bare `text/plain`, a UTF-8 text becomes `application/octet-stream`.
// 2. STRING holds the printable characters of Latin-1, TAB and LF (ICCCM 2.7.1). It is listed only
//    when the text is known and fits; CRLF and CR become LF there and in COMPOUND_TEXT, and nowhere
//    else. Other control characters keep a text out of STRING and COMPOUND_TEXT, not out of UTF-8.
// 3. TEXT answers as STRING when the text fits and as UTF8_STRING when not, never as TEXT.
// 4. Text of other types (JSON, source code, scripts) lists its own targets, then the text group
//    when the caller says the value stands for plain text.
// 5. Directories have no content targets; they travel as file URLs.
// 6. A path that would be misread as text (not UTF-8, or with a line end in it) is shown as its URI.
// 7. A supertype takes what conforms in the owner's order, which is the owner's preference. Only
//    among text targets, and among lists of URLs and files, is the order ours.
// 8. A `text/uri-list` beside `text/x-moz-url` and without a file manager's targets is a URL,
//    otherwise it is files.
// 9. The property's type decides how text is read. A type that names no character set (STRING, TEXT,
//    bare `text/plain`) leaves that to a target that does.
// 10. UTF-16 with half a surrogate pair, invalid UTF-8 under a UTF-8 name, and items of 16 or 32 bits
//    where bytes belong are errors. The caller goes on to the next target.
// 11. COMPOUND_TEXT is written as Latin-1 and UTF-8 segments. `CompoundTextConverter` is the seam for
//    Xlib's own converter.
