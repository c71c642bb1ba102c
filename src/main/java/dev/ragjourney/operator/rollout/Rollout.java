package dev.ragjourney.operator.rollout;

import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.operator.observe.Journey;
import dev.ragjourney.operator.observe.LiveTemplate;
import dev.ragjourney.operator.observe.Turn;
import dev.ragjourney.rebalance.JourneyId;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who takes now what another operator brought: a default image, a pod template.
 *
 * <p>At most n journeys at a time, those first whose pods all serve, in the order of namespace and
 * name; and nobody more as long as one fails. With r journeys rolling, the first n − r of those
 * that wait are next.
 *
 * @param atOnce so many journeys roll at a time: n
 * @param next those that take it from now on
 * @param held those that wait
 * @param rolling those that are taking it
 * @param failed those that failed with it
 */
public record Rollout(
    int atOnce,
    Set<JourneyId> next,
    Set<JourneyId> held,
    Set<JourneyId> rolling,
    List<Standing> failed) {
  public Rollout {
    next = Set.copyOf(next);
    held = Set.copyOf(held);
    rolling = Set.copyOf(rolling);
    failed = List.copyOf(failed);
  }

  /**
   * @param told who was told to take it before, and may be about to; they stay first in the order
   */
  public static Rollout decide(int atOnce, Collection<Standing> fleet, Set<JourneyId> told) {
    Comparator<Standing> byName =
        Comparator.comparing((Standing each) -> each.id().namespace())
            .thenComparing(each -> each.id().name());
    List<Standing> failed = in(fleet, Standing.State.FAILED).stream().sorted(byName).toList();
    Set<JourneyId> rolling = ids(in(fleet, Standing.State.ROLLING));
    List<Standing> waiting =
        in(fleet, Standing.State.WAITING, Standing.State.UNSETTLED).stream()
            .sorted(
                Comparator.comparing((Standing each) -> !told.contains(each.id()))
                    .thenComparing(each -> each.state() == Standing.State.UNSETTLED)
                    .thenComparing(byName))
            .toList();
    int free = failed.isEmpty() ? Math.max(0, atOnce - rolling.size()) : 0;
    Set<JourneyId> next = ids(waiting.stream().limit(free).toList());
    Set<JourneyId> held = ids(waiting.stream().skip(free).toList());
    return new Rollout(atOnce, next, held, rolling, failed);
  }

  /**
   * Whether a journey has to ask. One that is new, and one whose spec changed since its status was
   * written, have not.
   *
   * @param live null for no pods yet
   * @param wanted digest of the template that this operator makes of the spec; empty for a spec
   *     whose pods are left as they are
   */
  public static boolean concerns(
      Journey journey, @Nullable Deployment live, Optional<String> wanted) {
    RagJourneyStatus status = journey.lastStatus();
    return live != null
        && status != null
        && Objects.equals(status.observedGeneration(), journey.generation())
        && wanted.isPresent()
        && !LiveTemplate.digest(live).equals(wanted);
  }

  /** What the journey is told. */
  public Turn turn(JourneyId id) {
    if (!held.contains(id)) {
      return Turn.NOW;
    }
    if (failed.isEmpty()) {
      return new Turn.Waits(
          Turn.WAITS,
          atOnce == 1
              ? "waits its turn: one journey takes it at a time"
              : "waits its turn: %d journeys take it at a time".formatted(atOnce));
    }
    Standing first = failed.getFirst();
    return new Turn.Waits(
        Turn.STOPPED,
        "is not taken for now: %s/%s failed with it (%s)%s"
            .formatted(
                first.id().namespace(),
                first.id().name(),
                first.why(),
                failed.size() > 1 ? ", and %d more".formatted(failed.size() - 1) : ""));
  }

  private static List<Standing> in(Collection<Standing> fleet, Standing.State... states) {
    Set<Standing.State> wanted = Set.of(states);
    return fleet.stream().filter(each -> wanted.contains(each.state())).toList();
  }

  private static Set<JourneyId> ids(List<Standing> standings) {
    Set<JourneyId> ids = new HashSet<>();
    standings.forEach(each -> ids.add(each.id()));
    return ids;
  }
}
