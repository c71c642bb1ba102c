package dev.ragjourney.budget;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What journeys leave out though they have the time for it, because rebalancing found that trying
 * it costs more answers than it makes better.
 *
 * @param stages optional stages that do not run, at whatever level
 * @param startLevel the level that journeys begin at; null for the first one
 * @param trialShare share of the journeys that leave nothing out, so that it is noticed when that
 *     would serve better again, 0 to 1
 */
public record LeftOut(List<String> stages, @Nullable String startLevel, double trialShare) {
  /** One journey in twenty. */
  public static final double TRIED = 0.05;

  public static final LeftOut NOTHING = new LeftOut(List.of(), null, TRIED);

  public LeftOut {
    stages = List.copyOf(stages);
  }

  public boolean nothing() {
    return stages.isEmpty() && startLevel == null;
  }

  public LeftOut with(String stage) {
    List<String> more = new ArrayList<>(stages);
    more.add(stage);
    return new LeftOut(more, startLevel, trialShare);
  }

  public LeftOut without(String stage) {
    return keeping(other -> !other.equals(stage));
  }

  /** Of the stages only those. */
  public LeftOut keeping(Predicate<String> stays) {
    return new LeftOut(stages.stream().filter(stays).toList(), startLevel, trialShare);
  }

  /**
   * @param level null for the first one
   */
  public LeftOut from(@Nullable String level) {
    return new LeftOut(stages, level, trialShare);
  }
}
