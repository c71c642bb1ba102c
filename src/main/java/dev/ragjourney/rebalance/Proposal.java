package dev.ragjourney.rebalance;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a rule asks for, within its limits.
 *
 * @param ladder what is to be left out from now on, or to come back; null where that stays
 * @param worthIt the changes are more than noise
 * @param effect of the changes, for people
 * @param whyNot why nothing moves if they are not worth it
 */
record Proposal(
    List<CapChange> changes,
    @Nullable LadderChange ladder,
    boolean worthIt,
    String effect,
    String whyNot) {
  Proposal {
    changes = List.copyOf(changes);
  }

  /** Of caps alone. */
  Proposal(List<CapChange> changes, boolean worthIt, String effect, String whyNot) {
    this(changes, null, worthIt, effect, whyNot);
  }

  /**
   * Why nothing moves where all is well. The same whether a rule asks for nothing or for next to
   * nothing, since under steady traffic it asks now for the one and now for the other.
   */
  static String inBalance(RebalancePolicy policy) {
    return String.format(
        Locale.ROOT,
        "no change beyond the dead band of %.0f %% and the sampling error",
        policy.deadBand() * 100);
  }

  /** Something is to change, and it is more than noise. */
  boolean moves() {
    return worthIt && !(changes.isEmpty() && ladder == null);
  }

  Proposal because(String more) {
    return more.isEmpty()
        ? this
        : new Proposal(changes, ladder, worthIt, effect, whyNot + "; " + more);
  }

  /** What changes, in words. */
  String text() {
    return Ledger.summary(changes, ladder) + "; " + effect;
  }
}
