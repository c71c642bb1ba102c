package dev.ragjourney.cli;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** A command's run: what it printed and how it ended. */
record CommandRun(int exitCode, String out, String err) {
  static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");

  @Command(name = "ragjourney")
  private static final class Program {}

  static CommandRun of(String... arguments) {
    return of("", Map.of(), arguments);
  }

  static CommandRun of(String input, Map<String, String> environment, String... arguments) {
    return of(
        new Surroundings(
            environment,
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            () -> NOW),
        arguments);
  }

  static CommandRun of(Surroundings surroundings, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine program = Commands.addTo(new CommandLine(new Program()), surroundings);
    program.setOut(new PrintWriter(out, true));
    program.setErr(new PrintWriter(err, true));
    int exitCode = program.execute(arguments);
    return new CommandRun(exitCode, out.toString(), err.toString());
  }
}
