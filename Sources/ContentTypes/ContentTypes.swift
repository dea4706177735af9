/// Content types without Foundation: what a short-lived command can afford to load.
///
/// A type is named by a uniform type identifier and known from, best first:
/// 1. declarations made by the program as *exported* (`TypeDeclaration`),
/// 2. declarations made as *imported*,
/// 3. the types of the system (`SystemTypeText`),
/// 4. identifiers that describe themselves (`dyn.…`, see `DynamicIdentifier`).
///
/// The machine's shared MIME database adds what it knows: spellings of MIME types, file name patterns, magic numbers
/// and the relations between types the system does not declare. A MIME type or filename extension that the system does
/// not declare keeps the identifier Apple's systems give it (a dynamic one), and takes its supertypes, tags and
/// description from the database.
///
/// ## Which type a tag means
/// Where several types claim a tag, exported declarations come before imported ones, those before the system's;
/// types that declare the tag come before types the shared MIME database links to it; among equals the order of
/// declaration decides. For a MIME type: parameters are dropped (a `charset` of plain text picks the Unicode types), then
/// the declared spellings are tried, then the database's spellings, then the dynamic identifier is made.
///
/// ## What is not taken from the database
/// Container relations (`.docx` is a zip file for the database, but no archive for anyone who chooses files) and the
/// parents of types the system declares: `public.html` conforms to `public.text`, never to `public.plain-text`.
enum ContentTypesModule {}
