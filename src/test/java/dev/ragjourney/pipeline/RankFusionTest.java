package dev.ragjourney.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class RankFusionTest {
  private static final List<Passage> WORDS = Trial.passages("a", "b", "c");
  private static final List<Passage> NEAR = Trial.passages("c", "d");

  @Test
  void what_two_searches_found_is_ranked_by_the_sum_of_its_reciprocal_ranks() {
    assertThat(RankFusion.fused(List.of(WORDS, NEAR), 0))
        .extracting(Passage::id)
        .containsExactly("c", "a", "b", "d");
    assertThat(RankFusion.fused(List.of(WORDS, NEAR), 0).getFirst().score())
        .isCloseTo(1.0 / 63 + 1.0 / 61, within(1e-12));
  }

  @Test
  void equal_ranks_keep_the_declared_order() {
    assertThat(RankFusion.fused(List.of(Trial.passages("a"), Trial.passages("b")), 0))
        .extracting(Passage::id)
        .containsExactly("a", "b");
    assertThat(RankFusion.fused(List.of(Trial.passages("b"), Trial.passages("a")), 0))
        .extracting(Passage::id)
        .containsExactly("b", "a");
  }

  @Test
  void no_more_than_wanted_is_kept() {
    assertThat(RankFusion.fused(List.of(WORDS, NEAR), 2))
        .extracting(Passage::id)
        .containsExactly("c", "a");
  }

  @Test
  void a_search_that_found_nothing_changes_nothing() {
    assertThat(RankFusion.fused(List.of(List.of(), NEAR), 5)).isEqualTo(NEAR);
    assertThat(RankFusion.fused(List.of(List.of(), List.of()), 5)).isEmpty();
    assertThat(RankFusion.fused(List.of(), 5)).isEmpty();
  }
}
