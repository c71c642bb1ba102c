package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.ms;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Worked by hand; steps are 50 % up and 20 % down. */
class P95HeadroomTest {

  @Test
  void a_donor_gives_at_most_a_step_and_the_receiver_gets_what_it_needs() {
    // rewrite: max(120, 400 × 0.8) = 320; rerank: 300 + (400 − 300) = 400; 320 + 400 ≤ 1000.
    assertThat(caps(1000, demand("rewrite", 400, 120), demand("rerank", 300, 400)))
        .isEqualTo(Map.of("rewrite", ms(320), "rerank", ms(400)));
  }

  @Test
  void a_receiver_gets_at_most_a_step() {
    assertThat(caps(2000, demand("search", 400, 900))).isEqualTo(Map.of("search", ms(600)));
  }

  @Test
  void receivers_share_a_short_pool_by_what_they_lack() {
    // Free: 1000 − 300 − 400 = 300 of the 150 + 200 lacking, a share of 6/7:
    // 300 + 150 × 6/7 = 428.57, 400 + 200 × 6/7 = 571.43, rounded down.
    assertThat(caps(1000, demand("a", 300, 500), demand("b", 400, 650)))
        .isEqualTo(Map.of("a", ms(428), "b", ms(571)));
  }

  @Test
  void what_donors_give_is_there_for_receivers_in_the_same_round() {
    // P = 1000, all taken. a gives 100, b lacks 200 and gets those 100.
    assertThat(caps(1000, demand("a", 500, 200), demand("b", 500, 700)))
        .isEqualTo(Map.of("a", ms(400), "b", ms(600)));
  }

  @Test
  void what_nobody_needs_goes_to_generate() {
    assertThat(caps(1000, demand("a", 500, 450), demand("b", 500, 420)))
        .isEqualTo(Map.of("a", ms(450), "b", ms(420)));
  }

  @Test
  void over_committed_caps_hold_the_receivers_and_shrink_the_optional_stages() {
    // 400 + 1000 + 700 = 2100 > 1450: even 320 + 1000 + 560 does not fit; a step each.
    assertThat(
            caps(
                1450,
                optional("rewrite", 400, 600),
                demand("search", 1000, 1400),
                optional("rerank", 700, 690)))
        .isEqualTo(Map.of("rewrite", ms(320), "search", ms(1000), "rerank", ms(560)));
  }

  @Test
  void optional_stages_shrink_no_further_than_the_caps_fit() {
    // 400 + 1000 + 700 = 2100, 50 too much; they can lose 80 + 140: 50/220 of it each.
    assertThat(
            caps(
                2050,
                optional("rewrite", 400, 600),
                demand("search", 1000, 1400),
                optional("rerank", 700, 800)))
        .isEqualTo(Map.of("rewrite", ms(381), "search", ms(1000), "rerank", ms(668)));
  }

  @Test
  void a_stage_set_aside_neither_gives_nor_receives_nor_shrinks() {
    Demand aside =
        new Demand("rewrite", null, true, true, ms(400), ms(400), ms(10), ms(900), false, "");

    Demand less = new Demand("less", null, true, true, ms(400), ms(300), ms(10), ms(900), true, "");
    Demand more = new Demand("more", null, true, true, ms(400), ms(600), ms(10), ms(900), true, "");

    assertThat(caps(1200, aside, demand("search", 1000, 1400)))
        .isEqualTo(Map.of("rewrite", ms(400), "search", ms(1000)));
    assertThat(caps(2000, less, more)).isEqualTo(Map.of("less", ms(400), "more", ms(400)));
  }

  @Test
  void a_parallel_group_counts_as_its_largest_cap() {
    // Group: max(500, 300) = 500; 500 + 400 = 900 of 1000: 100 free for c, which lacks 200.
    assertThat(
            caps(
                1000,
                beside("g", "a", 500, 500),
                beside("g", "b", 300, 300),
                demand("c", 400, 600)))
        .isEqualTo(Map.of("a", ms(500), "b", ms(300), "c", ms(500)));
  }

  @Test
  void beside_a_longer_stage_a_cap_grows_for_nothing() {
    // 500 + 500 = 1000: the pool is empty, yet b may grow to a's 500; its step ends at 450.
    assertThat(
            caps(
                1000,
                beside("g", "a", 500, 500),
                beside("g", "b", 300, 480),
                demand("c", 500, 700)))
        .isEqualTo(Map.of("a", ms(500), "b", ms(450), "c", ms(500)));
  }

  @Test
  void shrinking_an_optional_stage_beside_a_longer_one_would_free_nothing() {
    Demand shorter = new Demand("b", "g", true, false, ms(300), ms(300), ms(10), ms(900), true, "");

    assertThat(caps(900, beside("g", "a", 500, 500), shorter, demand("c", 500, 500)))
        .isEqualTo(Map.of("a", ms(500), "b", ms(300), "c", ms(500)));
  }

  @Test
  void a_range_stops_a_donor_and_a_receiver() {
    Demand donor =
        new Demand("a", null, false, false, ms(400), ms(390), ms(390), ms(900), true, "");
    Demand receiver =
        new Demand("b", null, false, false, ms(400), ms(450), ms(10), ms(450), true, "");

    assertThat(caps(2000, donor, receiver)).isEqualTo(Map.of("a", ms(390), "b", ms(450)));
  }

  @Test
  void a_range_holds_where_the_need_lies_beyond_it_and_where_the_caps_do_not_fit() {
    Demand receiver =
        new Demand("a", null, false, false, ms(400), ms(500), ms(10), ms(450), true, "");
    Demand donor =
        new Demand("b", null, false, false, ms(400), ms(300), ms(390), ms(900), true, "");
    Demand shrunk =
        new Demand("c", null, true, false, ms(400), ms(600), ms(390), ms(900), true, "");

    assertThat(caps(2000, receiver, donor)).isEqualTo(Map.of("a", ms(450), "b", ms(390)));
    assertThat(caps(700, shrunk, demand("d", 400, 400)))
        .isEqualTo(Map.of("c", ms(390), "d", ms(400)));
  }

  @Test
  void donors_round_up_and_receivers_down_to_whole_milliseconds() {
    Demand donor =
        new Demand(
            "a",
            null,
            false,
            false,
            ms(400),
            Duration.ofNanos(350_200_000),
            ms(10),
            ms(900),
            true,
            "");
    Demand receiver =
        new Demand(
            "b",
            null,
            false,
            false,
            ms(400),
            Duration.ofNanos(450_900_000),
            ms(10),
            ms(900),
            true,
            "");

    assertThat(caps(2000, donor, receiver)).isEqualTo(Map.of("a", ms(351), "b", ms(450)));
  }

  private static Map<String, Duration> caps(long pool, Demand... demands) {
    return P95Headroom.caps(List.of(demands), ms(pool), 0.5, 0.2);
  }

  private static Demand demand(String stage, long cap, long need) {
    return demand(stage, null, false, cap, need);
  }

  private static Demand optional(String stage, long cap, long need) {
    return demand(stage, null, true, cap, need);
  }

  private static Demand beside(String group, String stage, long cap, long need) {
    return demand(stage, group, false, cap, need);
  }

  private static Demand demand(
      String stage, @Nullable String group, boolean optional, long cap, long need) {
    return new Demand(stage, group, optional, false, ms(cap), ms(need), ms(10), ms(5000), true, "");
  }
}
