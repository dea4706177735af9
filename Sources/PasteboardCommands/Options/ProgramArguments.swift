internal import CLinux

/// The words that this process was started with, its name first.
enum ProgramArguments {
  static var count: CInt { cl_arguments() == nil ? CommandLine.argc : cl_argument_count() }

  static var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    cl_arguments() ?? CommandLine.unsafeArgv
  }
}
