package dev.ragjourney.cli;

import picocli.CommandLine;

/** What a command's exit code says. */
final class ExitCodes {
  static final int FINE = CommandLine.ExitCode.OK;

  /** The answer is no: a spec is refused, or there are no figures to answer from. */
  static final int NO = 1;

  /** There is no answer: a wrong option, a file or a cluster that cannot be read. */
  static final int FAILED = CommandLine.ExitCode.USAGE;

  private ExitCodes() {}
}
