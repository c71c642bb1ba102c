package dev.ragjourney.app;

import dev.ragjourney.cli.Commands;
import org.slf4j.bridge.SLF4JBridgeHandler;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code java -jar ragjourney.jar operator | pipeline | ask | check | …}. */
@Command(
    name = "ragjourney",
    mixinStandardHelpOptions = true,
    description = "One latency budget for a RAG pipeline, kept on every request.",
    subcommands = {OperatorCommand.class, PipelineCommand.class, AskCommand.class})
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    System.exit(Commands.addTo(new CommandLine(new Main())).execute(args));
  }
}
