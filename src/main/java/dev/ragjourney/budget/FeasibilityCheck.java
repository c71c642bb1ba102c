package dev.ragjourney.budget;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rules behind {@link Feasibility}. */
final class FeasibilityCheck {
  private final JourneyBudget budget;
  private final CriticalPath path;
  private final List<Finding> findings = new ArrayList<>();

  private FeasibilityCheck(JourneyBudget budget) {
    this.budget = budget;
    this.path = new CriticalPath(budget.stages());
  }

  static Feasibility of(JourneyBudget budget) {
    FeasibilityCheck check = new FeasibilityCheck(budget);
    check.noAsyncWork();
    check.floorsFit();
    check.levelsFit();
    check.retriesFit();
    return check.findings.isEmpty() ? check.plannedPath() : new Feasibility.Refused(check.findings);
  }

  private void noAsyncWork() {
    for (int i = 0; i < budget.stages().size(); i++) {
      StageBudget stage = budget.stages().get(i);
      boolean median = stage.optional() && stage.expectedP50() != null;
      Duration expected =
          median ? stage.expectedP50() : longer(stage.expectedP95(), stage.expectedP50());
      Duration declared = longer(stage.declaredCap(), longer(expected, stage.floor()));
      if (declared != null && declared.compareTo(budget.total()) > 0) {
        refuse(
            "spec.stages[" + i + "]",
            "AsyncWork",
            "%s s for the stage %s > %s s, the whole budget: make it an asynchronous job, or give it a cap within the budget"
                .formatted(
                    NamedSum.seconds(declared), stage.name(), NamedSum.seconds(budget.total())));
      }
    }
  }

  /** Σ required floors + reserve ≤ total. */
  private void floorsFit() {
    NamedSum floors = floors(0);
    if (floors.total().plus(budget.reserve()).compareTo(budget.total()) > 0) {
      refuse("spec.budget.total", "CannotFit", against(floors, budget.total()));
    }
  }

  /** Σ floors(L) + reserve + minUseful ≤ L.minRemaining. */
  private void levelsFit() {
    for (int l = 0; l < budget.levels().size(); l++) {
      FallbackLevel level = budget.levels().get(l);
      if (level.answer() != AnswerSource.STAGES || level.minRemaining().isZero()) {
        continue;
      }
      NamedSum needed = floors(l);
      for (StageBudget stage : budget.stages()) {
        if (Floors.runs(level, stage)) {
          needed.plus(stage.name() + " at least", stage.minUseful());
          break;
        }
      }
      if (needed.total().plus(budget.reserve()).compareTo(level.minRemaining()) > 0) {
        refuse(
            "spec.fallbackLevels[" + l + "].minRemaining",
            "LevelCannotFit",
            "level " + level.name() + ": " + against(needed, level.minRemaining()));
      }
    }
  }

  /** Σ attemptCaps + (n − 1) × backoff.max + fallback.cap + final floor ≤ total. */
  private void retriesFit() {
    for (int i = 0; i < budget.stages().size(); i++) {
      StageBudget stage = budget.stages().get(i);
      if (stage.retry() == null) {
        continue;
      }
      NamedSum sum = worst(stage);
      if (stage.type() != StageType.GENERATE) {
        sum.plus(generateFloor());
      }
      if (sum.total().compareTo(budget.total()) > 0) {
        refuse("spec.stages[" + i + "].retry", "RetriesCannotFit", against(sum, budget.total()));
      }
    }
  }

  private Feasibility plannedPath() {
    NamedSum sum = new NamedSum();
    for (int step = 0; step < path.steps(); step++) {
      int longest = path.longest(step, i -> worst(budget.stages().get(i)).total().toNanos());
      if (longest >= 0) {
        sum.plus(worst(budget.stages().get(longest)));
      }
    }
    Duration planned = sum.total();
    String reserve = "reserve " + NamedSum.seconds(budget.reserve()) + " s";
    if (planned.compareTo(budget.total()) > 0) {
      return new Feasibility.ReliesOnDonation(
          planned,
          "%s > %s s %s: in time only if stages take less than their caps\n%s"
              .formatted(sum.arithmetic(), NamedSum.seconds(budget.total()), sum.names(), reserve));
    }
    Duration slack = budget.total().minus(planned);
    return new Feasibility.Fits(
        planned,
        slack,
        "%s of %s s %s, slack %s s\n%s"
            .formatted(
                sum.arithmetic(),
                NamedSum.seconds(budget.total()),
                sum.names(),
                NamedSum.seconds(slack),
                reserve));
  }

  private NamedSum floors(int level) {
    NamedSum sum = new NamedSum();
    for (int step = 0; step < path.steps(); step++) {
      int longest = path.longest(step, i -> Floors.nanos(budget, i, level));
      if (longest >= 0) {
        sum.plus(
            budget.stages().get(longest).name() + " floor",
            Duration.ofNanos(Floors.nanos(budget, longest, level)));
      }
    }
    return sum;
  }

  private NamedSum generateFloor() {
    NamedSum sum = new NamedSum();
    for (int i = 0; i < budget.stages().size(); i++) {
      if (budget.stages().get(i).type() == StageType.GENERATE) {
        sum.plus("generate floor", Duration.ofNanos(Floors.nanos(budget, i, 0)));
      }
    }
    return sum;
  }

  /** The longest a stage may take when nothing is donated to it. */
  private NamedSum worst(StageBudget stage) {
    NamedSum sum = new NamedSum();
    RetryBudget retry = stage.retry();
    FallbackBudget fallback = stage.fallback();
    if (stage.type() == StageType.GENERATE && stage.cap() == null && retry == null) {
      return generateFloor();
    }
    if (retry != null) {
      for (int n = 0; n < retry.attemptCaps().size(); n++) {
        if (n > 0) {
          sum.plus("backoff", retry.backoffMax());
        }
        sum.plus(stage.name() + " attempt " + (n + 1), retry.attemptCaps().get(n));
      }
      return fallback == null ? sum : sum.plus(stage.name() + " fallback", fallback.cap());
    }
    Duration cap = Objects.requireNonNullElse(stage.declaredCap(), Duration.ZERO);
    sum.plus(stage.name(), cap);
    if (fallback != null) {
      Duration failOver =
          Objects.requireNonNullElse(
              stage.degradeAfter() != null ? stage.degradeAfter() : stage.expectedP95(), cap);
      Duration withFallback = (failOver.compareTo(cap) < 0 ? failOver : cap).plus(fallback.cap());
      sum.plus(stage.name() + " fallback", withFallback.minus(cap));
    }
    return sum;
  }

  /** The sum and what it is over, and the reserve, which may be what is too much, on its line. */
  private String against(NamedSum sum, Duration limit) {
    String over = " > " + NamedSum.seconds(limit) + " s";
    String reserve = "reserve " + NamedSum.seconds(budget.reserve()) + " s";
    if (sum.total().compareTo(limit) > 0) {
      return sum.arithmetic() + over + " " + sum.names() + "\n" + reserve;
    }
    Duration withReserve = sum.total().plus(budget.reserve());
    return sum.arithmetic()
        + " "
        + sum.names()
        + "\n"
        + reserve
        + ", together "
        + NamedSum.seconds(withReserve)
        + " s"
        + over;
  }

  private void refuse(String field, String reason, String message) {
    findings.add(new Finding(field, reason, message));
  }

  private static @Nullable Duration longer(@Nullable Duration a, @Nullable Duration b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.compareTo(b) >= 0 ? a : b;
  }
}
