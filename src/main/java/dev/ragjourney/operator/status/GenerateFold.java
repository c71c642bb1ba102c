package dev.ragjourney.operator.status;

import dev.ragjourney.budget.Durations;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.crd.status.Condition;
import dev.ragjourney.crd.status.StageStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code GenerateStartsLate}: True when generate usually starts with less than half of the budget
 * left, False when with more than 55 %, between them as it was. The median of the time left is the
 * one number that says most about a journey; the message names the stage that takes the most of it.
 */
final class GenerateFold {
  private static final double LATE = 0.5;
  private static final double CLEARS_ABOVE = 0.55;
  private static final double PERCENT = 100;

  private GenerateFold() {}

  /** Empty while the median is not known. */
  static Optional<Verdict> verdict(
      @Nullable Duration remaining,
      @Nullable List<StageStatus> shown,
      JourneyBudget budget,
      @Nullable Condition last) {
    if (remaining == null) {
      return Optional.empty();
    }
    double share = (double) remaining.toNanos() / budget.total().toNanos();
    boolean wasLate = last != null && Verdict.TRUE.equals(last.status());
    boolean late = share < LATE || (wasLate && share <= CLEARS_ABOVE);
    String left =
        "%d%% of the budget is left when generate starts, at the median"
            .formatted(Math.round(share * PERCENT));
    return Optional.of(
        late
            ? Verdict.of(
                Types.GENERATE_STARTS_LATE,
                true,
                "LessThanHalfLeft",
                left + costliest(shown, budget) + "; it clears above 55%")
            : Verdict.of(Types.GENERATE_STARTS_LATE, false, "HalfLeft", left));
  }

  /** By the medians that are shown: those stand still. */
  private static String costliest(@Nullable List<StageStatus> shown, JourneyBudget budget) {
    String costliest = null;
    Duration most = Duration.ZERO;
    for (StageBudget stage : budget.stages()) {
      if (stage.type() == StageType.GENERATE) {
        break;
      }
      Duration median = median(shown, stage.name());
      if (median.compareTo(most) > 0) {
        most = median;
        costliest = stage.name();
      }
    }
    return costliest == null
        ? ""
        : "; %s takes the most of it, %s at its median"
            .formatted(costliest, Durations.format(most));
  }

  private static Duration median(@Nullable List<StageStatus> shown, String stage) {
    return shown == null
        ? Duration.ZERO
        : shown.stream()
            .filter(row -> stage.equals(row.name()))
            .flatMap(row -> Stream.ofNullable(row.p50()))
            .findFirst()
            .map(Durations::parse)
            .orElse(Duration.ZERO);
  }
}
