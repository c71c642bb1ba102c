package dev.ragjourney.cli;

import dev.ragjourney.crd.status.CapChangeStatus;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.crd.status.RebalanceMove;
import dev.ragjourney.crd.status.RebalanceStatus;
import dev.ragjourney.rebalance.CapChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The moves that status remembers, newest first. */
record LastChanges(List<Explanation.Change> all) {
  private static final String CAP = CapChange.Moved.CAP.label();
  private static final String HOLD_BACK = CapChange.Moved.HOLD_BACK.label();

  LastChanges {
    all = List.copyOf(all);
  }

  static LastChanges of(@Nullable RagJourneyStatus status) {
    List<Explanation.Change> all = new ArrayList<>();
    RebalanceStatus moves = status == null ? null : status.rebalance();
    if (moves != null) {
      all.addAll(changes(moves.lastMove(), moves.changes()));
      for (RebalanceMove earlier :
          Objects.requireNonNullElse(moves.history(), List.<RebalanceMove>of())) {
        all.addAll(changes(earlier.time(), earlier.changes()));
      }
    }
    return new LastChanges(all);
  }

  Explanation.@Nullable Change ofCap(String stage) {
    return newest(stage, CAP);
  }

  Explanation.@Nullable Change ofHoldBack(String stage) {
    return newest(stage, HOLD_BACK);
  }

  private Explanation.@Nullable Change newest(String stage, String knob) {
    return all.stream()
        .filter(change -> change.stage().equals(stage) && change.knob().equals(knob))
        .findFirst()
        .orElse(null);
  }

  /**
   * @param at when they were made; null for changes that were not
   */
  static List<Explanation.Change> changes(
      @Nullable String at, @Nullable List<CapChangeStatus> changes) {
    return Objects.requireNonNullElse(changes, List.<CapChangeStatus>of()).stream()
        .map(
            change ->
                new Explanation.Change(
                    "" + change.stage(),
                    change.knob() == null ? CAP : change.knob(),
                    at,
                    change.from(),
                    change.to(),
                    change.why()))
        .toList();
  }

  /** A change that a rule would make. */
  static Explanation.Change proposed(CapChange change) {
    return new Explanation.Change(
        change.stage(),
        change.knob().label(),
        null,
        Shown.duration(change.from()),
        Shown.duration(change.to()),
        change.why());
  }
}
