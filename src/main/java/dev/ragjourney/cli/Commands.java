package dev.ragjourney.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The commands for people, to be added to the program's own. */
public final class Commands {
  private Commands() {}

  public static CommandLine addTo(CommandLine main) {
    return addTo(main, Surroundings.real());
  }

  static CommandLine addTo(CommandLine main, Surroundings surroundings) {
    List<Callable<Integer>> commands =
        List.of(
            new CheckCommand(surroundings),
            new ExplainCommand(surroundings),
            new WhatIfCommand(surroundings),
            new ReplayCommand(surroundings),
            new SimulateCommand());
    for (Callable<Integer> command : commands) {
      CommandLine line = new CommandLine(command);
      line.setCaseInsensitiveEnumValuesAllowed(true);
      main.addSubcommand(line);
    }
    return main.setExecutionExceptionHandler(Commands::told);
  }

  /** Where a command prints to. */
  static PrintWriter out(@Nullable CommandSpec spec) {
    return Objects.requireNonNull(spec, "set by picocli").commandLine().getOut();
  }

  /** Where a command tells what went wrong. */
  static PrintWriter err(@Nullable CommandSpec spec) {
    return Objects.requireNonNull(spec, "set by picocli").commandLine().getErr();
  }

  /** What a person can put right is one line; anything else is a defect and shows where it is. */
  private static int told(Exception e, CommandLine command, CommandLine.ParseResult parsed)
      throws Exception {
    if (!(e instanceof CommandFailedException)) {
      throw e;
    }
    command.getErr().println(command.getCommandName() + ": " + e.getMessage());
    return ExitCodes.FAILED;
  }
}
