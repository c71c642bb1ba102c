package dev.ragjourney.rebalance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether figures can be judged.
 *
 * @param reason {@link RoundFigures#MEASURED}, or why not
 * @param message for a person; without figures that differ from round to round, as every new
 *     message is a write
 */
record Verdict(String reason, String message) {
  /** From this share of failed calls on a stage's latency is not the question. */
  static final double ERRORS_DOMINATE = 0.2;

  private static final Duration SLOW_SCRAPES = Duration.ofSeconds(90);

  /** What a reading says about one journey: its slices, or why there are none. */
  sealed interface Found {
    record Data(Slices slices) implements Found {}

    record Nothing(Verdict verdict) implements Found {}
  }

  boolean measured() {
    return reason.equals(RoundFigures.MEASURED);
  }

  static Found find(RebalanceInput input) {
    return switch (input.reading().about(input.id())) {
      case LatencyReading.Unavailable(String reason, String message) ->
          new Found.Nothing(new Verdict(reason, message));
      case LatencyReading.Measured(Map<JourneyId, JourneyWindow> journeys) -> {
        JourneyWindow window = journeys.get(input.id());
        if (window == null || window.slices().isEmpty()) {
          yield new Found.Nothing(
              new Verdict(
                  Reasons.NO_TRAFFIC,
                  "no series of this journey in the last "
                      + input.policy().window().toSeconds()
                      + " s; are its pods scraped at least twice in an interval?"));
        }
        Slices slices = Slices.of(input, window);
        yield slices.all().isEmpty()
            ? new Found.Nothing(
                new Verdict(
                    Reasons.TOO_FEW_SAMPLES,
                    "no whole interval has passed since the journey was made or changed"))
            : new Found.Data(slices);
      }
    };
  }

  static Verdict judge(RebalanceInput input, Slices slices, List<StageFacts> stages) {
    double traffic = stages.stream().mapToDouble(facts -> facts.window().journeys()).sum();
    return wholeWindow(input, slices, traffic)
        .or(() -> ofStages(input.policy(), slices, stages))
        .orElseGet(() -> new Verdict(RoundFigures.MEASURED, measured(stages)));
  }

  private static Optional<Verdict> wholeWindow(
      RebalanceInput input, Slices slices, double traffic) {
    for (WindowSlice slice : slices.all()) {
      for (WindowSlice.Defect defect : slice.defects()) {
        if (!defect.reason().equals(Reasons.LAYOUT_CHANGED)) {
          return Optional.of(new Verdict(defect.reason(), defect.message()));
        }
      }
    }
    Duration age = Duration.between(slices.newest().to(), input.now());
    if (age.compareTo(input.policy().interval().dividedBy(2)) > 0) {
      return Optional.of(
          new Verdict(
              Reasons.STALE,
              "nothing was measured in the last interval; are the pods still scraped?"));
    }
    Duration tooOld = tooOld(input.policy().interval());
    if (slices.scraped() != null
        && Duration.between(slices.scraped(), input.now()).compareTo(tooOld) > 0) {
      return Optional.of(
          new Verdict(
              Reasons.STALE,
              "the newest figures are older than "
                  + tooOld.toSeconds()
                  + " s; are the pods still scraped, and do the clocks agree?"));
    }
    if (!slices.newest().defects().isEmpty() || !slices.fitsLayout(slices.newest())) {
      return Optional.of(
          new Verdict(
              Reasons.LAYOUT_CHANGED,
              "not all histograms have the boundaries of a budget of "
                  + Seconds.text(input.budget().total())
                  + "; the next interval will, once all pods have the plan"));
    }
    if (traffic <= 0) {
      return Optional.of(
          new Verdict(
              Reasons.NO_TRAFFIC,
              "no question in the last " + input.policy().window().toSeconds() + " s"));
    }
    return Optional.empty();
  }

  /**
   * Half an interval, but the minute and a half that slow scrapes take, if an interval is as long.
   */
  private static Duration tooOld(Duration interval) {
    Duration least = interval.compareTo(SLOW_SCRAPES) < 0 ? interval : SLOW_SCRAPES;
    Duration half = interval.dividedBy(2);
    return half.compareTo(least) < 0 ? least : half;
  }

  /** One bad stage holds all, as they share one budget; the gravest finding is told. */
  private static Optional<Verdict> ofStages(
      RebalancePolicy policy, Slices slices, List<StageFacts> stages) {
    List<Verdict> errors = new ArrayList<>();
    List<Verdict> missing = new ArrayList<>();
    List<Verdict> few = new ArrayList<>();
    for (StageFacts facts : stages) {
      String name = facts.stage().name();
      StageSample judged = facts.judged();
      if (judged.errorRatio() > ERRORS_DOMINATE) {
        errors.add(
            new Verdict(
                Reasons.ERRORS_DOMINATE,
                name
                    + ": more than "
                    + Math.round(ERRORS_DOMINATE * 100)
                    + " % of its calls fail"));
      } else if (slices.tooNew(facts.stage())) {
        few.add(
            new Verdict(
                Reasons.TOO_FEW_SAMPLES,
                name + ": no whole interval has passed since its spec changed"));
      } else if (judged.journeys() <= 0 || !slices.newest().stages().containsKey(name)) {
        missing.add(
            new Verdict(
                Reasons.PARTIAL_STAGES, name + ": no figures, while other stages have some"));
      } else if (!facts.setAside() && judged(facts, policy) < policy.minSamples()) {
        few.add(
            new Verdict(
                Reasons.TOO_FEW_SAMPLES,
                name
                    + ": fewer than the "
                    + policy.minSamples()
                    + " calls needed"
                    + (anyCap(policy) ? "" : " under its cap in force")));
      }
    }
    for (List<Verdict> found : List.of(errors, missing, few)) {
      if (!found.isEmpty()) {
        return Optional.of(found.getFirst());
      }
    }
    return Optional.empty();
  }

  /** A law is learned from calls under any cap, a p95 only from those under the cap in force. */
  private static boolean anyCap(RebalancePolicy policy) {
    return policy.rule() == RebalancePolicy.Rule.MAX_QUALITY;
  }

  private static double judged(StageFacts facts, RebalancePolicy policy) {
    return anyCap(policy) ? facts.window().calls() : facts.current().calls();
  }

  private static String measured(List<StageFacts> stages) {
    List<String> aside =
        stages.stream().filter(StageFacts::setAside).map(facts -> facts.stage().name()).toList();
    return aside.isEmpty()
        ? "every stage has the calls it needs"
        : "mostly skipped and so set aside: " + String.join(", ", aside);
  }
}
