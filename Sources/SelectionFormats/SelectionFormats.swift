// Decided here, once, and read by both directions:
//
// - `TargetTable` joins content types, target names and encodings.
