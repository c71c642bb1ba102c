package dev.ragjourney.rebalance;

import java.util.List;

/**
 * What a rule asks for, within its limits.
 *
 * @param worthIt the changes are more than noise
 * @param effect of the changes, for people
 * @param whyNot why nothing moves if they are not worth it
 */
record Proposal(List<CapChange> changes, boolean worthIt, String effect, String whyNot) {
  Proposal {
    changes = List.copyOf(changes);
  }
}
