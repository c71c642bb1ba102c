package dev.ragjourney.rebalance;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a journey's earlier moves. It is kept beside the plan, so that a restart
 * loses nothing.
 *
 * @param last the last move; null if caps never moved, or not since the whole spec changed
 * @param recent times of the moves within the hour before the last one, newest first, the last one
 *     among them
 * @param cooldown after the last move, where a rollback made it longer than the declared one; null
 *     for the declared one
 * @param changed by stage, when its spec last changed: what was measured before is another stage's
 */
public record PastMoves(
    @Nullable Made last,
    List<Instant> recent,
    @Nullable Duration cooldown,
    Map<String, Instant> changed) {
  public static final PastMoves NONE = new PastMoves(null, List.of(), null, Map.of());

  /** Rollbacks make the cooldown no longer than this. */
  static final Duration LONGEST_COOLDOWN = Duration.ofHours(1);

  static final Duration HOUR = Duration.ofHours(1);

  public PastMoves {
    recent = List.copyOf(recent);
    changed = Map.copyOf(changed);
  }

  /**
   * A move that was carried out.
   *
   * @param takenBack it took the move before it back
   * @param changes none where only the time is known
   * @param ladder what it left out or brought back; null for nothing
   * @param expected what it was expected to bring; null where no law was known
   */
  public record Made(
      Instant at,
      boolean takenBack,
      List<CapChange> changes,
      @Nullable LadderChange ladder,
      @Nullable Expected expected) {
    public Made {
      changes = List.copyOf(changes);
    }

    /** Of caps alone. */
    public Made(
        Instant at, boolean takenBack, List<CapChange> changes, @Nullable Expected expected) {
      this(at, takenBack, changes, null, expected);
    }
  }

  /**
   * What a move is expected to bring.
   *
   * @param gain in the objective: share of full answers − 3 × (missed share above the objective)
   * @param error its standard error
   */
  public record Expected(double gain, double error) {
    /** A smaller gain is not worth a change, however sure it is. */
    static final double LEAST_GAIN = 0.002;

    /** Standard errors that a gain must be above zero. */
    static final double ERRORS = 2;

    /** More than a trifle, and more than chance. */
    boolean pays() {
      return gain >= Math.max(LEAST_GAIN, ERRORS * error);
    }
  }

  /** One move of which nothing but the time is known. */
  public static PastMoves madeAt(@Nullable Instant at) {
    return at == null
        ? NONE
        : new PastMoves(new Made(at, false, List.of(), null), List.of(at), null, Map.of());
  }

  /** When caps last moved; null if they never did. */
  public @Nullable Instant lastAt() {
    return last == null ? null : last.at();
  }

  /** What is remembered once a move has been carried out. */
  public PastMoves with(Instant at, RebalanceDecision.Move move, RebalancePolicy policy) {
    boolean back = move.reason().equals(Reasons.ROLLED_BACK);
    List<Instant> times =
        Stream.concat(Stream.of(at), recent.stream().filter(time -> time.isAfter(at.minus(HOUR))))
            .toList();
    return new PastMoves(
        new Made(at, back, move.changes(), move.ladder(), move.expected()),
        times,
        cooldownAfter(back, policy),
        changed);
  }

  /** The same with the times at which stages changed. */
  public PastMoves withChanged(Map<String, Instant> times) {
    return new PastMoves(last, recent, cooldown, times);
  }

  /** The cooldown after the last move: never shorter than the declared one. */
  Duration cooldown(RebalancePolicy policy) {
    return cooldown == null || cooldown.compareTo(policy.cooldown()) < 0
        ? policy.cooldown()
        : cooldown;
  }

  /**
   * A rollback doubles it. The move after one keeps it, as that has not stood yet; a move after one
   * that stood is back at the declared cooldown.
   */
  private @Nullable Duration cooldownAfter(boolean back, RebalancePolicy policy) {
    if (!back) {
      return last != null && last.takenBack() ? cooldown : null;
    }
    Duration now = cooldown(policy);
    Duration most = now.compareTo(LONGEST_COOLDOWN) > 0 ? now : LONGEST_COOLDOWN;
    Duration doubled = now.multipliedBy(2);
    return doubled.compareTo(most) > 0 ? most : doubled;
  }
}
