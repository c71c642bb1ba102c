package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.ID;
import static dev.ragjourney.rebalance.Journeys.NOW;
import static dev.ragjourney.rebalance.Journeys.budget;
import static dev.ragjourney.rebalance.Journeys.calls;
import static dev.ragjourney.rebalance.Journeys.input;
import static dev.ragjourney.rebalance.Journeys.lognormal;
import static dev.ragjourney.rebalance.Journeys.ms;
import static dev.ragjourney.rebalance.Journeys.optional;
import static dev.ragjourney.rebalance.Journeys.policy;
import static dev.ragjourney.rebalance.Journeys.required;
import static dev.ragjourney.rebalance.Journeys.slice;
import static dev.ragjourney.rebalance.Journeys.with;

import dev.ragjourney.budget.JourneyBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A journey with sound figures, and ways to make them unsound. */
final class SoundJourney {
  static final Duration SEARCH_CAP = ms(600);
  static final Duration RERANK_CAP = ms(300);

  /** search needs 216 ms × 1.2 and has 600; rerank is cut at its 300 ms in 10 % of its calls. */
  static final JourneyBudget BUDGET = budget(required("search", 600), optional("rerank", 300));

  static final Map<String, StageWindow> SOUND =
      Map.of(
          "search", calls(SEARCH_CAP, 0, lognormal(1000, 0.12, 0.35)),
          "rerank", calls(RERANK_CAP, 100, lognormal(900, 0.2, 0.2)),
          "generate", calls(ms(1200), 0, lognormal(1000, 0.7, 0.3)));

  private SoundJourney() {}

  static RebalanceDecision decide(LatencyReading reading) {
    return Rebalancer.decide(input(BUDGET, policy(), reading));
  }

  static RebalanceDecision decideAfterMove(LatencyReading reading, Instant lastMove) {
    return Rebalancer.decide(
        new RebalanceInput(BUDGET, policy(), reading, ID, PastMoves.madeAt(lastMove), NOW));
  }

  static Map<String, StageWindow> stage(String name, UnaryOperator<StageWindow> change) {
    StageWindow window = SOUND.get(name);
    return with(SOUND, name, change.apply(window));
  }

  static Map<String, StageWindow> without(String name) {
    Map<String, StageWindow> copy = new HashMap<>(SOUND);
    copy.remove(name);
    return copy;
  }

  static WindowSlice defective(String reason) {
    WindowSlice sound = slice(SOUND);
    return new WindowSlice(
        sound.from(),
        sound.to(),
        sound.stages(),
        sound.answers(),
        sound.levels(),
        sound.fallbacks(),
        sound.duration(),
        sound.remainingAtGenerate(),
        List.of(new WindowSlice.Defect(reason, "seen")));
  }

  static StageWindow errors(StageWindow window, double errors) {
    return new StageWindow(
        window.started() + errors,
        window.completed(),
        window.capCut(),
        window.deadlineCut(),
        window.lost(),
        errors,
        window.skipped(),
        window.caps());
  }

  static StageWindow completed(StageWindow window, LatencyHistogram completed) {
    return new StageWindow(
        completed.total(),
        completed,
        LatencyHistogram.EMPTY,
        LatencyHistogram.EMPTY,
        LatencyHistogram.EMPTY,
        window.errors(),
        window.skipped(),
        window.caps());
  }

  static StageWindow caps(StageWindow window, StageWindow.@Nullable CapSpan caps) {
    return new StageWindow(
        window.started(),
        window.completed(),
        window.capCut(),
        window.deadlineCut(),
        window.lost(),
        window.errors(),
        window.skipped(),
        caps);
  }
}
