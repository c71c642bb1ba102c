package dev.ragjourney.operator.rollout;

import static dev.ragjourney.operator.rollout.Standing.State.ASIDE;
import static dev.ragjourney.operator.rollout.Standing.State.FAILED;
import static dev.ragjourney.operator.rollout.Standing.State.ROLLING;
import static dev.ragjourney.operator.rollout.Standing.State.UNSETTLED;
import static dev.ragjourney.operator.rollout.Standing.State.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.operator.observe.Turn;
import dev.ragjourney.rebalance.JourneyId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ImageRolloutTest {
  private static final String IMAGE = "ragjourney:2";

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
    ImageRollout rollout = ImageRollout.decide(IMAGE, fleet, told);

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
    Set<JourneyId> next = ImageRollout.decide(IMAGE, fleet.fleet, Set.of()).next();
    assertThat(next).hasSize(4);
    for (int seed = 0; seed < 50; seed++) {
      List<Standing> shuffled = new ArrayList<>(fleet.fleet);
      Collections.shuffle(shuffled, new Random(seed));
      assertThat(ImageRollout.decide(IMAGE, shuffled, Set.of()).next()).isEqualTo(next);
    }
  }

  @Test
  void who_waits_is_told_for_what() {
    Fleet fleet = fleet("").add(WAITING, "a", "b", "c", "d", "e", "f");
    assertThat(ImageRollout.decide(IMAGE, fleet.fleet, Set.of()).turn(id("f")))
        .isEqualTo(
            new Turn.Waits(
                "ImageWaits",
                "the default image ragjourney:2 waits its turn: 5 journeys take it at a time"));
  }

  @Test
  void who_waits_because_others_failed_is_told_which_and_why() {
    Fleet fleet = fleet("").add(WAITING, "f");
    fleet.fleet.add(new Standing(id("z"), FAILED, "its image cannot be had"));
    fleet.fleet.add(new Standing(id("b"), FAILED, "its pod crashes"));
    assertThat(ImageRollout.decide(IMAGE, fleet.fleet, Set.of()).turn(id("f")))
        .isEqualTo(
            new Turn.Waits(
                "ImageRolloutStopped",
                "the default image ragjourney:2 is not taken for now: shop/b failed with it (its"
                    + " pod crashes), and 1 more"));
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
        ImageRollout rollout = ImageRollout.decide(IMAGE, fleet, Set.of());
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
            .isLessThanOrEqualTo(ImageRollout.AT_ONCE);
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
      return Set.copyOf(Stream.of(names).map(ImageRolloutTest::id).toList());
    }
  }
}
