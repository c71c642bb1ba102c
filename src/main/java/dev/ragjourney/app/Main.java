package dev.ragjourney.app;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code java -jar ragjourney.jar operator | pipeline}. */
@Command(
    name = "ragjourney",
    mixinStandardHelpOptions = true,
    description = "One latency budget for a RAG pipeline, kept on every request.",
    subcommands = {OperatorCommand.class})
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }
}
