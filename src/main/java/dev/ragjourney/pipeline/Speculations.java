package dev.ragjourney.pipeline;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keyword searches of one journey that started before their stages. */
final class Speculations {
  private final Trip trip;
  private final Map<Integer, Speculation> running = new HashMap<>();
  private boolean begun;

  Speculations(Trip trip) {
    this.trip = trip;
  }

  /**
   * At the first step starts what later ones can use; at each step closes what the level does not
   * search for any more.
   *
   * @param next the first stage after the step that begins now
   */
  void atStep(int next, int level) {
    Itinerary itinerary = trip.itinerary();
    running.forEach(
        (stage, speculation) -> {
          if (!itinerary.runs(stage, level)) {
            speculation.close();
          }
        });
    for (int stage = next; !begun && stage < itinerary.stages(); stage++) {
      StageForm form = itinerary.stage(stage).speculative();
      if (form != null && itinerary.runs(stage, level)) {
        Speculation started = Speculation.start(trip, stage, level, form);
        if (started != null) {
          running.put(stage, started);
        }
      }
    }
    begun = true;
  }

  @Nullable Speculation of(int stage) {
    return running.get(stage);
  }

  void close() {
    running.values().forEach(Speculation::close);
  }
}
