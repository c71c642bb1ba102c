package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.INTERVAL;
import static dev.ragjourney.rebalance.Journeys.LAYOUT;
import static dev.ragjourney.rebalance.Journeys.NOW;
import static dev.ragjourney.rebalance.Journeys.slice;
import static dev.ragjourney.rebalance.SoundJourney.BUDGET;
import static dev.ragjourney.rebalance.SoundJourney.SOUND;
import static dev.ragjourney.rebalance.SoundJourney.caps;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlicesTest {
  private static final Instant MOVED = NOW.minus(INTERVAL);
  private static final WindowSlice BEFORE = slice(MOVED, SOUND);
  private static final WindowSlice AFTER = slice(NOW, SOUND);

  @Test
  void laws_are_learned_from_the_whole_window_after_a_move_and_only_from_what_follows_a_rollback() {
    assertThat(ground(false)).containsExactly(BEFORE, AFTER);
    assertThat(ground(true)).containsExactly(AFTER);
  }

  @Test
  void calls_of_pods_that_tell_no_cap_had_one_cap_only_since_the_last_move() {
    Slices both = new Slices(List.of(silent(BEFORE), silent(AFTER)), LAYOUT, MOVED, null, Map.of());

    assertThat(both.wholeWindow(BUDGET.stages().getFirst()).oneCap()).isFalse();
    assertThat(both.only(silent(AFTER)).wholeWindow(BUDGET.stages().getFirst()).oneCap()).isTrue();
  }

  private static WindowSlice silent(WindowSlice slice) {
    Map<String, StageWindow> stages = new HashMap<>(slice.stages());
    stages.replaceAll((_, window) -> caps(window, null));
    return slice(slice.to(), stages);
  }

  private static List<WindowSlice> ground(boolean takenBack) {
    PastMoves moves =
        new PastMoves(
            new PastMoves.Made(MOVED, takenBack, List.of(), null), List.of(MOVED), null, Map.of());
    return new Slices(List.of(BEFORE, AFTER), List.of(), MOVED, null, Map.of())
        .ground(moves, BUDGET)
        .all();
  }
}
