package dev.ragjourney.cli;

import dev.ragjourney.budget.Durations;
import dev.ragjourney.prometheus.PrometheusSettings;
import dev.ragjourney.rebalance.JourneyWindow;
import dev.ragjourney.rebalance.RebalancePolicy;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A range of history through both rules. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = {
      "Takes a range of Prometheus' history through both rules, interval by interval: what each",
      "would have moved from the caps that were in force, what that was expected to give, and what",
      "was observed.",
      "Exit code 0: replayed; 1: nothing in the range could be judged; 2: the journey or Prometheus",
      "cannot be read."
    })
final class ReplayCommand implements Callable<Integer> {
  /** Prometheus gives no more points a series. */
  private static final long MOST_INTERVALS = 11_000;

  private final Surroundings surroundings;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private JourneyOptions journey = new JourneyOptions();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      defaultValue = "-6h",
      description = "like 2026-03-01T08:00:00Z, or -6h for six hours ago; default ${DEFAULT-VALUE}")
  private String from = "-6h";

  @Option(
      names = "--to",
      paramLabel = "TIME",
      defaultValue = "now",
      description = "default ${DEFAULT-VALUE}")
  private String to = "now";

  @Mixin private PrometheusOptions prometheus = new PrometheusOptions();
  @Mixin private OutputOption output = new OutputOption();

  ReplayCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    Instant now = surroundings.clock().instant().truncatedTo(ChronoUnit.SECONDS);
    Instant begin = time("--from", from, now);
    Instant end = time("--to", to, now);
    if (!begin.isBefore(end)) {
      throw new CommandFailedException("--from %s is not before --to %s".formatted(begin, end));
    }
    LoadedJourney loaded = journey.load(surroundings);
    RebalancePolicy policy = loaded.parsed().rebalance();
    Duration range = Duration.between(begin, end);
    if (range.dividedBy(policy.interval()) < 1) {
      throw new CommandFailedException(
          "from %s to %s is less than one interval of %s"
              .formatted(begin, end, Durations.formatRounded(policy.interval())));
    }
    Duration read = range.plus(policy.window());
    if (read.dividedBy(policy.interval()) > MOST_INTERVALS) {
      throw new CommandFailedException(
          "from %s to %s are more than %d intervals of %s; ask for a shorter range"
              .formatted(begin, end, MOST_INTERVALS, Durations.formatRounded(policy.interval())));
    }
    PrometheusSettings settings =
        LiveReading.needed(prometheus.settings(surroundings.environment(), loaded.id().name()));
    LiveReading live = LiveReading.read(settings, loaded.id(), end, read, policy.interval());
    JourneyWindow history =
        live.measured().journeys().getOrDefault(loaded.id(), new JourneyWindow(List.of()));
    History replayed = History.of(loaded, history, begin, end, settings.url());
    output.print(Commands.out(spec), HistoryText.of(replayed), replayed);
    return replayed.summary().judged() > 0 ? ExitCodes.FINE : ExitCodes.NO;
  }

  private static Instant time(String option, String text, Instant now) {
    try {
      if (text.equals("now")) {
        return now;
      }
      return text.startsWith("-")
          ? now.minus(Durations.parsePositive(text.substring(1)))
          : OffsetDateTime.parse(text).toInstant();
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new CommandFailedException(
          "%s: '%s' is no time; write one like 2026-03-01T08:00:00Z, -6h or now"
              .formatted(option, text));
    }
  }
}
