package dev.ragjourney.simulate;

import dev.ragjourney.budget.FallbackLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The laws of a journey by number: one for each stage's own calls first, then those of fallbacks
 * and of forms at lower levels.
 */
final class LawKeys {
  private static final String FALLBACK = "fallback";

  private final int stages;
  private final List<String> names;
  private final int[][] own;
  private final int[] fallbacks;

  private LawKeys(int stages, List<String> names, int[][] own, int[] fallbacks) {
    this.stages = stages;
    this.names = List.copyOf(names);
    this.own = own;
    this.fallbacks = fallbacks;
  }

  /**
   * @param given the laws that a scenario names: those of forms at lower levels are the stage's own
   *     where they have none
   */
  static LawKeys of(SimulatedJourney journey, Set<String> given) {
    int stages = journey.stages();
    List<String> names = new ArrayList<>();
    journey.budget().stages().forEach(stage -> names.add(stage.name()));
    int[] fallbacks = new int[stages];
    int[][] own = new int[stages][journey.budget().levels().size()];
    for (int s = 0; s < stages; s++) {
      if (journey.forms().get(s).fallback() != null) {
        fallbacks[s] = names.size();
        names.add(fallback(names.get(s)));
      }
    }
    for (int s = 0; s < stages; s++) {
      for (int l = 0; l < own[s].length; l++) {
        String name = level(names.get(s), journey.budget().levels().get(l));
        own[s][l] = s;
        if (given.contains(name)) {
          own[s][l] = names.size();
          names.add(name);
        } else if (l > 0 && asFallback(journey.forms().get(s), l)) {
          own[s][l] = fallbacks[s];
        }
      }
    }
    return new LawKeys(stages, names, own, fallbacks);
  }

  /** A smaller model that is the fallback's too is as fast as the fallback. */
  private static boolean asFallback(SimulatedJourney.StageForms forms, int level) {
    SimulatedJourney.Form fallback = forms.fallback();
    return fallback != null
        && !forms.byLevel().get(level).sameAs(forms.byLevel().getFirst())
        && forms.byLevel().get(level).sameAs(fallback);
  }

  static String fallback(String stage) {
    return stage + "." + FALLBACK;
  }

  static String level(String stage, FallbackLevel level) {
    return stage + "." + level.name();
  }

  int size() {
    return names.size();
  }

  List<String> names() {
    return names;
  }

  /** The laws of stages' own calls come first; only they are correlated. */
  boolean own(int law) {
    return law < stages;
  }

  int of(int stage, int level) {
    return own[stage][level];
  }

  int fallback(int stage) {
    return fallbacks[stage];
  }
}
