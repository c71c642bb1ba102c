package dev.ragjourney.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.budget.Durations;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.crd.Reading;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.crd.status.EffectiveStage;
import dev.ragjourney.crd.status.EffectiveStatus;
import dev.ragjourney.crd.status.LeftOutStatus;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.rebalance.JourneyId;
import dev.ragjourney.rebalance.LatencyReading;
import dev.ragjourney.rebalance.PastMoves;
import dev.ragjourney.rebalance.RebalanceInput;
import dev.ragjourney.rebalance.RebalancePolicy;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A journey as a cluster or a file has it.
 *
 * @param spec as it was written
 * @param reading what the spec says
 * @param status null where there is none
 * @param plan that the pods run; null where none can be read
 * @param paused caps stay for now, by wish of a person
 * @param notes what could not be read, for people
 */
record LoadedJourney(
    JourneyId id,
    @Nullable JsonNode spec,
    Reading reading,
    @Nullable RagJourneyStatus status,
    @Nullable Plan plan,
    boolean paused,
    List<String> notes) {
  LoadedJourney {
    notes = List.copyOf(notes);
  }

  /**
   * What the spec says.
   *
   * @throws CommandFailedException if it is refused
   */
  ParsedJourney parsed() {
    return switch (reading) {
      case Reading.Valid(var journey) -> journey;
      case Reading.Invalid(var findings) ->
          throw new CommandFailedException(
              "the spec of %s is refused: %s"
                  .formatted(
                      id,
                      findings.stream()
                          .map(finding -> finding.path() + ": " + finding.message())
                          .collect(Collectors.joining("; "))));
      case Reading.Unreadable(String message) ->
          throw new CommandFailedException(
              "the spec of %s cannot be read: %s".formatted(id, message));
    };
  }

  /** The budget with the caps in force: the plan's, else status', else the declared ones. */
  JourneyBudget inForce() {
    if (plan != null) {
      return plan.budget();
    }
    JourneyBudget declared = parsed().budget();
    EffectiveStatus effective = status == null ? null : status.effective();
    if (effective == null || effective.stages() == null) {
      return declared;
    }
    List<EffectiveStage> known = effective.stages();
    LeftOutStatus left = effective.leftOut();
    return declared
        .withStages(declared.stages().stream().map(stage -> inForce(stage, known)).toList())
        .leaving(
            left == null
                ? LeftOut.NOTHING
                : new LeftOut(
                    Objects.requireNonNullElse(left.stages(), List.of()),
                    left.startLevel(),
                    LeftOut.TRIED));
  }

  private static StageBudget inForce(StageBudget stage, List<EffectiveStage> known) {
    for (EffectiveStage effective : known) {
      if (stage.name().equals(effective.name())) {
        StageBudget held = stage.withHoldBack(duration(effective.holdBack()));
        Duration cap = duration(effective.cap());
        return cap == null || stage.cap() == null ? held : held.withCap(cap);
      }
    }
    return stage;
  }

  private static @Nullable Duration duration(@Nullable String text) {
    try {
      return text == null ? null : Durations.parse(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** When caps last moved; null if they never did. */
  @Nullable Instant lastMove() {
    String text =
        status == null || status.rebalance() == null ? null : status.rebalance().lastMove();
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** A round of some past time, whatever was moved since. */
  RebalanceInput past(
      JourneyBudget budget, RebalancePolicy policy, LatencyReading measured, Instant at) {
    return new RebalanceInput(budget, policy, measured, id, PastMoves.NONE, at);
  }

  /** A round over a reading, as the operator would make it now. */
  RebalanceInput round(
      JourneyBudget budget, RebalancePolicy policy, LatencyReading measured, Instant now) {
    return new RebalanceInput(
        budget, policy, measured, id, PastMoves.madeAt(lastMove()), paused, now);
  }
}
