package dev.ragjourney.operator.status;

import dev.ragjourney.budget.FallbackLevel;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.crd.status.RungStatus;
import dev.ragjourney.operator.observe.Round;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.rebalance.Rungs;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * When each rung last worked: the levels in the order of the ladder, then the fallbacks in the
 * order of the stages. A rung that works all the time is written anew once an hour only.
 */
final class RungsFold {
  private static final Duration STEP = Duration.ofHours(1);

  private RungsFold() {}

  static List<RungStatus> rungs(
      Plan plan, @Nullable List<RungStatus> shown, @Nullable Round round) {
    List<RungStatus> before = shown == null ? List.of() : shown;
    Rungs seen = round == null ? Rungs.NONE : round.rungs();
    List<RungStatus> rungs = new ArrayList<>();
    for (FallbackLevel level : plan.budget().levels()) {
      String name = level.name();
      rungs.add(
          new RungStatus(
              name,
              null,
              later(
                  lastWorked(before, new RungStatus(name, null, null)), seen.levels().get(name))));
    }
    for (StageBudget stage : plan.budget().stages()) {
      if (stage.fallback() != null) {
        String name = stage.name();
        rungs.add(
            new RungStatus(
                null,
                name,
                later(
                    lastWorked(before, new RungStatus(null, name, null)),
                    seen.fallbacks().get(name))));
      }
    }
    return rungs;
  }

  private static @Nullable String lastWorked(List<RungStatus> before, RungStatus rung) {
    return before.stream()
        .filter(
            each ->
                Objects.equals(each.level(), rung.level())
                    && Objects.equals(each.fallback(), rung.fallback()))
        .map(RungStatus::lastWorked)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static @Nullable String later(@Nullable String shown, @Nullable Instant seen) {
    if (seen == null) {
      return shown;
    }
    if (shown != null) {
      try {
        if (seen.isBefore(Instant.parse(shown).plus(STEP))) {
          return shown;
        }
      } catch (DateTimeException unreadable) {
        return seen.truncatedTo(ChronoUnit.SECONDS).toString();
      }
    }
    return seen.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
