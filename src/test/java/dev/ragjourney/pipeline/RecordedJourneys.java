package dev.ragjourney.pipeline;

import dev.ragjourney.budget.JourneyPolicy;
import dev.ragjourney.budget.LatencyBoundaries;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.rebalance.LatencyHistogram;
import dev.ragjourney.rebalance.StageWindow;
import dev.ragjourney.simulate.SimulatedJourney;
import dev.ragjourney.support.Questions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Journeys through the pod's own pipeline, in made time, whose calls take what was recorded of
 * them.
 */
public final class RecordedJourneys {
  /** What the calls of one journey take. */
  @FunctionalInterface
  public interface Times {
    /**
     * @param call a stage's name, or that of its fallback: {@code search.fallback}
     * @param ordinal how often it was called before in this journey
     * @return nanoseconds; the complement for a call that fails then
     */
    long nanos(String call, int ordinal);
  }

  /** What became of a journey. */
  public record Ended(String outcome, int level, long nanos) {}

  private static final long BETWEEN_TRIALS = 1_000 * Trial.MS;

  private final SimulatedJourney journey;
  private final Trial trial = new Trial();
  private final Route route;
  private final Map<String, Integer> called = new HashMap<>();
  private Times times = (call, ordinal) -> 0;

  /** A backend of a lower level that is the fallback's too takes what the fallback takes. */
  public RecordedJourneys(SimulatedJourney journey) {
    this.journey = journey;
    List<StageRoute> stages = new ArrayList<>();
    for (int s = 0; s < journey.forms().size(); s++) {
      StageBudget stage = journey.budget().stages().get(s);
      SimulatedJourney.StageForms forms = journey.forms().get(s);
      String name = stage.name();
      List<StageForm> byLevel = new ArrayList<>();
      for (SimulatedJourney.Form form : forms.byLevel()) {
        boolean same = form.backend().equals(forms.byLevel().getFirst().backend());
        byLevel.add(form(stage, form, same ? name : name + ".fallback"));
      }
      StageForm fallback =
          forms.fallback() == null ? null : form(stage, forms.fallback(), name + ".fallback");
      stages.add(new StageRoute(name, byLevel, fallback, null));
    }
    route =
        new Route(
            "shop",
            "faq",
            1,
            journey.budget(),
            stages,
            Map.of(),
            "sorry",
            Collections.nCopies(journey.budget().levels().size(), ""),
            journey.refuseWithoutContext(),
            JourneyPolicy.PLAIN,
            null);
  }

  /**
   * @param tries the journey is one of those that leave nothing out
   */
  public Ended run(Times of, boolean tries) throws Exception {
    times = of;
    called.clear();
    // A copy and a fallback that start together may take from the same backend's recorded calls.
    trial.machinery.startInTurn();
    trial.machinery.chance(() -> tries ? 0 : 1);
    trial.machinery.live(
        () -> {
          trial.machinery.takes(BETWEEN_TRIALS);
          return null;
        });
    Answer answer = trial.ask(route, now -> Questions.asked(now, null, false));
    trial.machinery.awaitEnded();
    return new Ended(answer.outcome().label(), answer.level(), answer.latencyNanos());
  }

  private StageForm form(StageBudget stage, SimulatedJourney.Form form, String call) {
    StagePort port =
        switch (stage.type()) {
          case REWRITE -> (Rewriter) (c, q, e, i) -> takes(call, "rewritten");
          case EMBED -> (Embedder) (c, text) -> takes(call, new float[] {1});
          case SEARCH ->
              (PassageSearch) (c, q) -> PassagesFound.whole(takes(call, Trial.passages("a", "b")));
          case RERANK ->
              (Reranker) (c, q, found) -> PassagesFound.whole(takes(call, found.reversed()));
          case TOOL -> (Tool) (c, input) -> takes(call, "tool");
          case GENERATE ->
              (Generator)
                  (c, prompt, sink) -> {
                    sink.accept(takes(call, "answer"));
                    return new Completion("stop", null, null);
                  };
        };
    String variant = form.full() ? "v0" : "v1";
    return new StageForm(
        variant, form.backend(), port, 0, null, form.keywordOnly(), null, null, "", "", null);
  }

  private <T> T takes(String call, T right) throws Exception {
    int ordinal;
    synchronized (called) {
      ordinal = called.merge(call, 1, Integer::sum) - 1;
    }
    long nanos = times.nanos(call, ordinal);
    trial.machinery.takes(nanos < 0 ? ~nanos : nanos);
    if (nanos < 0) {
      throw new BackendException(BackendException.Kind.UNAVAILABLE, "recorded");
    }
    return right;
  }

  /** What a query of the pod's metrics would read of all journeys so far. */
  public Map<String, StageWindow> read() {
    Map<String, StageWindow> windows = new HashMap<>();
    for (StageBudget stage : journey.budget().stages()) {
      String name = stage.name();
      windows.put(
          name,
          new StageWindow(
              trial.told.starts.stream().filter(start -> start.stage().equals(name)).count(),
              ended(name, StageOutcome.SUCCESS, null),
              ended(name, StageOutcome.TIMEOUT, true),
              ended(name, StageOutcome.TIMEOUT, false),
              LatencyHistogram.EMPTY,
              full(name).stream().filter(end -> end.outcome() == StageOutcome.ERROR).count(),
              skipped(name),
              fallback(name, true),
              fallback(name, false),
              null));
    }
    return windows;
  }

  private List<JourneyListener.StageEnd> full(String stage) {
    return trial.told.ends.stream()
        .filter(end -> end.stage().equals(stage) && end.form().variant().equals("v0"))
        .toList();
  }

  private LatencyHistogram ended(String stage, StageOutcome outcome, @Nullable Boolean atCap) {
    return histogram(
        full(stage).stream()
            .filter(end -> end.outcome() == outcome)
            .filter(end -> atCap == null || atCap == (end.cut() == Cut.CAP))
            .map(JourneyListener.StageEnd::elapsedNanos)
            .toList());
  }

  private LatencyHistogram fallback(String stage, boolean gave) {
    return histogram(
        trial.told.callsOf(stage).stream()
            .filter(call -> call.role() == StageCall.Role.FALLBACK)
            .filter(call -> call.outcome() != StageOutcome.ERROR)
            .filter(call -> gave == (call.outcome() == StageOutcome.SUCCESS))
            .map(JourneyListener.BackendCall::elapsedNanos)
            .toList());
  }

  private Map<String, Double> skipped(String stage) {
    Map<String, Double> skipped = new HashMap<>();
    for (Answer.Skipped skip : trial.told.skips) {
      if (skip.stage().equals(stage) && List.of("level", "no_time").contains(skip.reason())) {
        skipped.merge(skip.reason(), 1.0, Double::sum);
      }
    }
    return skipped;
  }

  private LatencyHistogram histogram(List<Long> nanos) {
    List<Double> layout = LatencyBoundaries.of(journey.budget().total());
    Double[] counts = new Double[layout.size() + 1];
    Arrays.fill(counts, 0.0);
    for (long each : nanos) {
      int bucket = 0;
      while (bucket < layout.size() && each / 1e9 > layout.get(bucket)) {
        bucket++;
      }
      counts[bucket]++;
    }
    return new LatencyHistogram(layout, List.of(counts));
  }
}
