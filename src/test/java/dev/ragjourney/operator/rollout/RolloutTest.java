package dev.ragjourney.operator.rollout;

import static dev.ragjourney.operator.rollout.Standing.State.ASIDE;
import static dev.ragjourney.operator.rollout.Standing.State.FAILED;
import static dev.ragjourney.operator.rollout.Standing.State.ROLLING;
import static dev.ragjourney.operator.rollout.Standing.State.UNSETTLED;
import static dev.ragjourney.operator.rollout.Standing.State.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.operator.Journeys;
import dev.ragjourney.operator.observe.Journey;
import dev.ragjourney.operator.observe.JourneyReader;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.operator.observe.RawJourney;
import dev.ragjourney.operator.observe.Turn;
import dev.ragjourney.rebalance.JourneyId;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RolloutTest {
  private static final int FIVE = 5;

  static Stream<Arguments> fleets() {
    return Stream.of(
        fleet("five of seven take it, by name")
            .add(WAITING, "g", "f", "e", "d", "c", "b", "a")
            .expect("a", "b", "c", "d", "e"),
        fleet("those that roll already count")
            .add(ROLLING, "x", "y")
            .add(WAITING, "a", "b", "c", "d")
            .expect("a", "b", "c"),
        fleet("five that roll leave no room")
            .add(ROLLING, "v", "w", "x", "y", "z")
            .add(WAITING, "a")
            .expect(),
        fleet("more than five may roll, since edited specs do not wait; then nobody is next")
            .add(ROLLING, "u", "v", "w", "x", "y", "z")
            .add(WAITING, "a")
            .expect(),
        fleet("one that failed stops all others").add(FAILED, "x").add(WAITING, "a", "b").expect(),
        fleet("one that failed stops all others, also with room left by those that roll")
            .add(FAILED, "x")
            .add(ROLLING, "y")
            .add(WAITING, "a", "b")
            .expect(),
        fleet("those that are done or not concerned do not count")
            .add(ASIDE, "m", "n", "o", "p", "q", "r")
            .add(WAITING, "a", "b")
            .expect("a", "b"),
        fleet("a journey whose pods do not all serve comes last")
            .add(UNSETTLED, "a", "b")
            .add(WAITING, "c", "d", "e", "f")
            .expect("c", "d", "e", "f", "a"),
        fleet("who was told to take it stays before one that comes up")
            .told("e", "f")
            .add(WAITING, "a", "b", "c", "d", "e", "f")
            .expect("a", "b", "c", "e", "f"),
        fleet("who was told and has not done it stops too when one fails")
            .told("a")
            .add(FAILED, "x")
            .add(WAITING, "a")
            .expect(),
        fleet("nobody waits").add(ASIDE, "a").expect());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("fleets")
  void who_is_next(String name, List<Standing> fleet, Set<JourneyId> told, Set<JourneyId> next) {
    Rollout rollout = Rollout.decide(FIVE, fleet, told);

    assertThat(rollout.next()).isEqualTo(next);
    for (Standing each : fleet) {
      boolean waits = each.state() == WAITING || each.state() == UNSETTLED;
      assertThat(rollout.turn(each.id()).equals(Turn.NOW))
          .as("%s is told to go ahead", each.id())
          .isEqualTo(!waits || next.contains(each.id()));
    }
  }

  @Test
  void the_order_of_what_is_observed_does_not_matter() {
    Fleet fleet = fleet("").add(ROLLING, "m").add(UNSETTLED, "a");
    for (int i = 0; i < 40; i++) {
      fleet.add(WAITING, "j" + i);
    }
    Set<JourneyId> next = Rollout.decide(FIVE, fleet.fleet, Set.of()).next();
    assertThat(next).hasSize(4);
    for (int seed = 0; seed < 50; seed++) {
      List<Standing> shuffled = new ArrayList<>(fleet.fleet);
      Collections.shuffle(shuffled, new Random(seed));
      assertThat(Rollout.decide(FIVE, shuffled, Set.of()).next()).isEqualTo(next);
    }
  }

  @Test
  void who_waits_is_told_for_what() {
    Fleet fleet = fleet("").add(WAITING, "a", "b", "c", "d", "e", "f");
    assertThat(Rollout.decide(FIVE, fleet.fleet, Set.of()).turn(id("f")))
        .isEqualTo(new Turn.Waits("RolloutWaits", "waits its turn: 5 journeys take it at a time"));
  }

  @ParameterizedTest(name = "{0} at a time")
  @CsvSource({
    "1, 1, waits its turn: one journey takes it at a time",
    "3, 3, waits its turn: 3 journeys take it at a time",
    "50, 7, ''"
  })
  void so_many_roll_as_are_set(int atOnce, int next, String last) {
    Fleet fleet = fleet("").add(WAITING, "a", "b", "c", "d", "e", "f", "g");
    Rollout rollout = Rollout.decide(atOnce, fleet.fleet, Set.of());

    assertThat(rollout.next()).hasSize(next);
    assertThat(rollout.turn(id("g")))
        .isEqualTo(last.isEmpty() ? Turn.NOW : new Turn.Waits("RolloutWaits", last));
  }

  static Stream<Arguments> askers() {
    Deployment live = template("one");
    Optional<String> another = Optional.of("another");
    return Stream.of(
        Arguments.of("another template, same spec", observed(3L, 3L), live, another, true),
        Arguments.of("the same template", observed(3L, 3L), live, Optional.of("one"), false),
        Arguments.of("a spec that changed", observed(2L, 3L), live, another, false),
        Arguments.of("no pods yet", observed(3L, 3L), null, another, false),
        Arguments.of("no status yet", observed(null, 3L), live, another, false),
        Arguments.of("a spec that wants none", observed(3L, 3L), live, Optional.empty(), false),
        Arguments.of("pods that do not say", observed(3L, 3L), template(null), another, true));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("askers")
  void who_has_to_ask(
      String name,
      Journey journey,
      @Nullable Deployment live,
      Optional<String> wanted,
      boolean asks) {
    assertThat(Rollout.concerns(journey, live, wanted)).isEqualTo(asks);
  }

  private static Journey observed(@Nullable Long observed, long generation) {
    RawJourney raw = new RawJourney();
    raw.setMetadata(
        new ObjectMetaBuilder()
            .withName("faq")
            .withNamespace("shop")
            .withGeneration(generation)
            .build());
    raw.setSpec(Journeys.yaml(Journeys.MINIMAL));
    if (observed != null) {
      raw.setStatus(Journeys.yaml("observedGeneration: " + observed));
    }
    return JourneyReader.read(raw);
  }

  private static Deployment template(@Nullable String digest) {
    return new DeploymentBuilder()
        .withNewSpec()
        .withNewTemplate()
        .withNewMetadata()
        .withAnnotations(digest == null ? null : Map.of(Labels.TEMPLATE, digest))
        .endMetadata()
        .endTemplate()
        .endSpec()
        .build();
  }

  @Test
  void who_waits_because_others_failed_is_told_which_and_why() {
    Fleet fleet = fleet("").add(WAITING, "f");
    fleet.fleet.add(new Standing(id("z"), FAILED, "its image cannot be had"));
    fleet.fleet.add(new Standing(id("b"), FAILED, "its pod crashes"));
    assertThat(Rollout.decide(FIVE, fleet.fleet, Set.of()).turn(id("f")))
        .isEqualTo(
            new Turn.Waits(
                "RolloutStopped",
                "is not taken for now: shop/b failed with it (its pod crashes), and 1 more"));
  }

  /** However pods come up, five is never exceeded and everybody gets it in the end. */
  @Test
  void a_whole_fleet_gets_through() {
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      List<Standing> fleet = fleet("").add(UNSETTLED, "x1", "x2").fleet;
      for (int i = 0; i < 30; i++) {
        fleet.add(new Standing(id("j" + i), WAITING, ""));
      }
      int steps = 0;
      while (fleet.stream().anyMatch(each -> each.state() != ASIDE)) {
        assertThat(++steps).as("steps of seed %d", seed).isLessThan(2000);
        Rollout rollout = Rollout.decide(FIVE, fleet, Set.of());
        fleet.replaceAll(
            each ->
                switch (each.state()) {
                  case WAITING, UNSETTLED ->
                      rollout.next().contains(each.id()) && random.nextBoolean()
                          ? new Standing(each.id(), ROLLING, "")
                          : each;
                  case ROLLING ->
                      random.nextInt(4) == 0 ? new Standing(each.id(), ASIDE, "") : each;
                  case ASIDE, FAILED -> each;
                });
        assertThat(fleet.stream().filter(each -> each.state() == ROLLING).count())
            .isLessThanOrEqualTo(FIVE);
      }
    }
  }

  private static JourneyId id(String name) {
    return new JourneyId("shop", name);
  }

  private static Fleet fleet(String name) {
    return new Fleet(name);
  }

  private static final class Fleet {
    private final String name;
    private final List<Standing> fleet = new ArrayList<>();
    private Set<JourneyId> told = Set.of();

    private Fleet(String name) {
      this.name = name;
    }

    Fleet add(Standing.State state, String... names) {
      for (String each : names) {
        fleet.add(new Standing(id(each), state, state == FAILED ? "its pod crashes" : ""));
      }
      return this;
    }

    Fleet told(String... names) {
      told = ids(names);
      return this;
    }

    Arguments expect(String... next) {
      return Arguments.of(name, fleet, told, ids(next));
    }

    private static Set<JourneyId> ids(String... names) {
      return Set.copyOf(Stream.of(names).map(RolloutTest::id).toList());
    }
  }
}
