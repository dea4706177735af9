import Glibc
import SessionHelper

exit(HelperDaemon.run(Array(CommandLine.arguments.dropFirst())))
