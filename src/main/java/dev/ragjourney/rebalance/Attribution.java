package dev.ragjourney.rebalance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which stage costs the full answers, and what would buy them back.
 *
 * @param stage null if every answer is full
 * @param remedy null with it
 * @param costs by stage; empty with it
 */
record Attribution(@Nullable String stage, @Nullable String remedy, Map<String, Double> costs) {
  private static final double FASTER = 1.3;

  /** The budget that is offered, as a part of the total. */
  private static final int MORE = 15;

  private static final double PERCENT = 100;

  static Attribution of(QualitySearch search, List<String> names, Duration total) {
    JourneyModel model = search.rough();
    Settings inForce = search.roughInForce();
    double[] shares = search.replay().costs(search.inForce());
    int costliest = 0;
    Map<String, Double> costs = new LinkedHashMap<>();
    for (int stage = 0; stage < shares.length; stage++) {
      costliest = shares[stage] > shares[costliest] ? stage : costliest;
      costs.put(names.get(stage), shares[stage]);
    }
    if (shares[costliest] == 0) {
      return new Attribution(null, null, Map.of());
    }
    double now = full(model, inForce);
    Duration more = Duration.ofMillis(Math.max(1, total.toMillis() / MORE));
    double longer = withMore(model, search.coarse().points(more), inForce);
    double faster = withFaster(model, costliest, inForce);
    String remedy =
        String.format(
            Locale.ROOT,
            "%s 1.3 × faster: %+.1f points of full answers; budget + %s: %+.1f points",
            names.get(costliest),
            (faster - now) * PERCENT,
            Seconds.text(more),
            (longer - now) * PERCENT);
    return new Attribution(names.get(costliest), remedy, costs);
  }

  private static double withFaster(JourneyModel model, int stage, Settings settings) {
    List<StageModel> stages = new ArrayList<>(model.stages());
    stages.set(stage, stages.get(stage).withLaw(stages.get(stage).law().faster(FASTER)));
    return full(new JourneyModel(model.horizon(), stages, model.steps(), model.levels()), settings);
  }

  /** All moments that count from the end move with it. */
  private static double withMore(JourneyModel model, int points, Settings settings) {
    List<StageModel> stages = new ArrayList<>();
    for (StageModel stage : model.stages()) {
      stages.add(stage.withMore(points));
    }
    return full(
        new JourneyModel(model.horizon() + points, stages, model.steps(), model.levels()),
        settings);
  }

  private static double full(JourneyModel model, Settings settings) {
    return Outlook.of(model, settings)[0].forecast().full();
  }
}
