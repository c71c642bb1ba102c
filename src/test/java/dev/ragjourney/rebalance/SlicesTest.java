package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.INTERVAL;
import static dev.ragjourney.rebalance.Journeys.NOW;
import static dev.ragjourney.rebalance.Journeys.slice;
import static dev.ragjourney.rebalance.SoundJourney.BUDGET;
import static dev.ragjourney.rebalance.SoundJourney.SOUND;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
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

  private static List<WindowSlice> ground(boolean takenBack) {
    PastMoves moves =
        new PastMoves(
            new PastMoves.Made(MOVED, takenBack, List.of(), null), List.of(MOVED), null, Map.of());
    return new Slices(List.of(BEFORE, AFTER), List.of(), MOVED, null, Map.of())
        .ground(moves, BUDGET)
        .all();
  }
}
