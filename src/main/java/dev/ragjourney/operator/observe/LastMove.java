package dev.ragjourney.operator.observe;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ragjourney.budget.Durations;
import dev.ragjourney.crd.status.CapChangeStatus;
import dev.ragjourney.crd.status.LadderChangeStatus;
import dev.ragjourney.rebalance.CapChange;
import dev.ragjourney.rebalance.LadderChange;
import dev.ragjourney.rebalance.PastMoves;
import dev.ragjourney.rebalance.PastMoves.Expected;
import dev.ragjourney.rebalance.PastMoves.Made;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RebalancePolicy;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last move of the caps, kept beside the plan it led to, with all that the guards need to know
 * of it and of those before.
 *
 * @param time RFC 3339
 * @param reason a code
 * @param changes durations as the resource spells them
 * @param rule that asked for it, like {@code P95Headroom}
 * @param message for people: who gave to whom, and what that was expected to bring
 * @param recent times of the moves within the hour before, newest first, this one among them
 * @param cooldown after it where that is not the declared one; a duration
 * @param ladder what was left out or came back; null for nothing
 * @param expectedGain in the objective; null where no law was known
 * @param expectedError its standard error
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LastMove(
    String time,
    String reason,
    List<CapChangeStatus> changes,
    @Nullable String rule,
    @Nullable String message,
    @Nullable List<String> recent,
    @Nullable String cooldown,
    @Nullable LadderChangeStatus ladder,
    @Nullable Double expectedGain,
    @Nullable Double expectedError) {
  public LastMove {
    changes = List.copyOf(changes);
  }

  /**
   * A decision that is carried out.
   *
   * @param before what the guards remembered until now
   */
  public static LastMove of(
      Instant at, RebalanceDecision.Move move, PastMoves before, RebalancePolicy policy) {
    Instant second = at.truncatedTo(ChronoUnit.SECONDS);
    PastMoves after = before.with(second, move, policy);
    Expected expected = move.expected();
    return new LastMove(
        second.toString(),
        move.reason(),
        move.changes().stream().map(LastMove::change).toList(),
        policy.rule().label(),
        move.message(),
        after.recent().stream().map(Instant::toString).toList(),
        after.cooldown() == null ? null : Durations.format(after.cooldown()),
        ladder(move.ladder()),
        expected == null ? null : expected.gain(),
        expected == null ? null : expected.error());
  }

  public static CapChangeStatus change(CapChange change) {
    return new CapChangeStatus(
        change.stage(),
        Durations.formatRounded(change.from()),
        Durations.formatRounded(change.to()),
        change.why(),
        change.knob() == CapChange.Moved.CAP ? null : change.knob().label(),
        change.samples());
  }

  private static @Nullable LadderChangeStatus ladder(@Nullable LadderChange change) {
    return change == null
        ? null
        : new LadderChangeStatus(change.stage(), change.from(), change.to(), change.why());
  }

  private @Nullable LadderChange parsedLadder() {
    LadderChangeStatus told = ladder;
    return told == null || told.from() == null || told.to() == null
        ? null
        : new LadderChange(
            told.stage(), told.from(), told.to(), Objects.requireNonNullElse(told.why(), ""));
  }

  /** Null when the time cannot be read. */
  public @Nullable Instant at() {
    return instant(time).orElse(null);
  }

  /**
   * What the guards remember. Of a record that cannot be read in part, that part is forgotten.
   *
   * @param move null if caps never moved
   * @param changed by stage, when its spec changed
   */
  public static PastMoves remembered(@Nullable LastMove move, Map<String, Instant> changed) {
    Instant at = move == null ? null : move.at();
    if (move == null || at == null) {
      return PastMoves.NONE.withChanged(changed);
    }
    Expected expected =
        move.expectedGain == null || move.expectedError == null
            ? null
            : new Expected(move.expectedGain, move.expectedError);
    boolean back = move.reason.equals(Reasons.ROLLED_BACK);
    Made last = new Made(at, back, move.parsed(), move.parsedLadder(), expected);
    List<Instant> recent =
        move.recent == null
            ? List.of(at)
            : move.recent.stream().flatMap(text -> instant(text).stream()).toList();
    return new PastMoves(
        last, recent, move.cooldown == null ? null : duration(move.cooldown).orElse(null), changed);
  }

  /** None if one cannot be read: half a move is not to be taken back. */
  private List<CapChange> parsed() {
    List<CapChange> parsed = new ArrayList<>();
    for (CapChangeStatus change : changes) {
      Optional<Duration> from = duration(change.from());
      Optional<Duration> to = duration(change.to());
      if (change.stage() == null || from.isEmpty() || to.isEmpty()) {
        return List.of();
      }
      parsed.add(
          new CapChange(
              change.stage(),
              CapChange.Moved.HOLD_BACK.label().equals(change.knob())
                  ? CapChange.Moved.HOLD_BACK
                  : CapChange.Moved.CAP,
              from.get(),
              to.get(),
              Objects.requireNonNullElse(change.why(), ""),
              change.samples()));
    }
    return parsed;
  }

  private static Optional<Duration> duration(@Nullable String text) {
    try {
      return text == null ? Optional.empty() : Optional.of(Durations.parse(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Optional<Instant> instant(@Nullable String text) {
    try {
      return text == null ? Optional.empty() : Optional.of(Instant.parse(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
