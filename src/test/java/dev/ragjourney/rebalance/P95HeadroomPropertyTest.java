package dev.ragjourney.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** 20,000 random demands, seeded; a failure names its case. */
class P95HeadroomPropertyTest {
  private static final int CASES = 20_000;
  private static final double UP = 0.5;
  private static final double DOWN = 0.2;

  private record Case(List<Demand> demands, Duration pool) {
    static Case of(Random random) {
      List<Demand> demands = new ArrayList<>();
      int stages = 1 + random.nextInt(6);
      for (int i = 0; i < stages; i++) {
        long cap = 10 + random.nextInt(1500);
        long min = 1 + random.nextInt((int) cap);
        long max = cap + random.nextInt(2000);
        long need = Math.clamp(random.nextInt(2500), min, max);
        boolean fixed = random.nextInt(8) == 0;
        demands.add(
            new Demand(
                "s" + i,
                random.nextInt(3) == 0 ? "g" + random.nextInt(2) : null,
                random.nextBoolean(),
                fixed,
                Duration.ofMillis(cap),
                Duration.ofNanos(fixed ? cap * 1_000_000 : need * 1_000_000),
                Duration.ofMillis(min),
                Duration.ofMillis(max),
                true,
                ""));
      }
      return new Case(demands, Duration.ofMillis(100 + random.nextInt(5000)));
    }

    Map<String, Duration> caps() {
      return P95Headroom.caps(demands, pool, UP, DOWN);
    }

    Duration path(Map<String, Duration> caps) {
      return P95Headroom.path(demands, caps);
    }
  }

  @Test
  void caps_never_take_more_than_the_pool_or_than_before() {
    each(
        (one, caps) -> {
          Duration before = one.path(Map.of());
          Duration most = before.compareTo(one.pool()) > 0 ? before : one.pool();
          assertThat(one.path(caps)).as("%s", one).isLessThanOrEqualTo(most);
        });
  }

  @Test
  void no_cap_leaves_its_range_or_moves_by_more_than_a_step() {
    each(
        (one, caps) -> {
          for (Demand demand : one.demands()) {
            double cap = nanos(caps.get(demand.stage()));
            double before = nanos(demand.cap());
            assertThat(cap)
                .as("%s %s", demand, one)
                .isBetween(before * (1 - DOWN) - 1, before * (1 + UP) + 1)
                .isBetween(nanos(demand.min()), nanos(demand.max()));
          }
        });
  }

  @Test
  void nobody_receives_more_than_it_needs_and_no_required_stage_gives_what_it_needs() {
    each(
        (one, caps) -> {
          for (Demand demand : one.demands()) {
            Duration cap = caps.get(demand.stage());
            if (cap.compareTo(demand.cap()) > 0) {
              assertThat(cap).as("%s", one).isLessThanOrEqualTo(demand.need());
            } else if (cap.compareTo(demand.cap()) < 0 && !demand.optional()) {
              assertThat(cap).as("%s", one).isGreaterThanOrEqualTo(demand.need());
            }
          }
        });
  }

  @Test
  void a_stage_set_aside_never_moves() {
    each(
        (one, caps) ->
            one.demands().stream()
                .filter(Demand::fixed)
                .forEach(
                    demand ->
                        assertThat(caps.get(demand.stage()))
                            .as("%s", one)
                            .isEqualTo(demand.cap())));
  }

  @Test
  void a_required_need_is_left_unmet_only_if_a_step_or_the_range_or_the_pool_ends_it() {
    each(
        (one, caps) -> {
          Map<String, Duration> withRoom = new HashMap<>(caps);
          for (Demand demand : one.demands()) {
            Duration cap = caps.get(demand.stage());
            double step = Math.min(nanos(demand.cap()) * (1 + UP), nanos(demand.max()));
            boolean wantsMore =
                !demand.fixed()
                    && nanos(cap) + 2e6 < Math.min(nanos(demand.need()), step)
                    && demand.need().compareTo(demand.cap()) > 0;
            if (wantsMore) {
              withRoom.put(demand.stage(), cap.plusMillis(1 + one.demands().size()));
            }
          }
          if (!withRoom.equals(caps)) {
            assertThat(one.path(withRoom)).as("%s", one).isGreaterThan(one.pool());
          }
        });
  }

  @Test
  void twice_the_time_everywhere_gives_twice_the_caps() {
    each(
        (one, caps) -> {
          List<Demand> twice =
              one.demands().stream()
                  .map(
                      demand ->
                          new Demand(
                              demand.stage(),
                              demand.group(),
                              demand.optional(),
                              demand.fixed(),
                              demand.cap().multipliedBy(2),
                              demand.need().multipliedBy(2),
                              demand.min().multipliedBy(2),
                              demand.max().multipliedBy(2),
                              true,
                              ""))
                  .toList();
          Map<String, Duration> doubled =
              P95Headroom.caps(twice, one.pool().multipliedBy(2), UP, DOWN);
          caps.forEach(
              (stage, cap) ->
                  assertThat(Math.abs(nanos(doubled.get(stage)) - 2 * nanos(cap)))
                      .as("%s %s", stage, one)
                      .isLessThanOrEqualTo(12e6));
        });
  }

  private interface Check {
    void accept(Case one, Map<String, Duration> caps);
  }

  private static void each(Check check) {
    Random random = new Random(42);
    for (int i = 0; i < CASES; i++) {
      Case one = Case.of(random);
      check.accept(one, one.caps());
    }
  }

  private static double nanos(Duration duration) {
    return duration.toNanos();
  }
}
