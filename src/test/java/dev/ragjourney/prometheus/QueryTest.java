package dev.ragjourney.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueryTest {
  private static final Duration INTERVAL = Duration.ofMinutes(5);
  private static final Batch BATCH = new Batch("shop", List.of("faq", "v1.5"));

  @Test
  void a_batch_is_three_queries_for_any_number_of_journeys() {
    assertThat(Query.of(INTERVAL, List.of(), BATCH)).hasSize(3);
  }

  @Test
  void restarts_are_seen_first_then_double_scrapes_then_pods_are_added_up() {
    assertThat(Query.of(INTERVAL, List.of(), BATCH).getFirst())
        .isEqualTo(
            """
            label_replace(sum by (journey, stage, outcome, cut, le) (\
            max by (journey, stage, outcome, cut, le, pod) (\
            increase(rag_stage_duration_seconds_bucket{variant="v0",\
            outcome=~"success|degraded|timeout|cancelled",cut!="caller",pod!="",\
            journey=~"faq|v1\\\\x{2e}5",exported_namespace="shop"}[300000ms]) != 0 or \
            increase(rag_stage_duration_seconds_bucket{variant="v0",\
            outcome=~"success|degraded|timeout|cancelled",cut!="caller",pod!="",\
            journey=~"faq|v1\\\\x{2e}5",namespace="shop",exported_namespace=""}[300000ms]) != 0) or \
            max by (journey, stage, outcome, cut, le, instance) (\
            increase(rag_stage_duration_seconds_bucket{variant="v0",\
            outcome=~"success|degraded|timeout|cancelled",cut!="caller",pod="",\
            journey=~"faq|v1\\\\x{2e}5",exported_namespace="shop"}[300000ms]) != 0 or \
            increase(rag_stage_duration_seconds_bucket{variant="v0",\
            outcome=~"success|degraded|timeout|cancelled",cut!="caller",pod="",\
            journey=~"faq|v1\\\\x{2e}5",namespace="shop",exported_namespace=""}[300000ms]) != 0)), \
            "rag_kind", "latency", "", "")""");
  }

  @Test
  void journeys_that_their_caller_shortened_are_in_no_share_of_answers() {
    assertThat(Query.of(INTERVAL, List.of(), BATCH).get(1))
        .contains("increase(rag_journey_answers_total{deadline=\"own\",pod!=\"\",");
  }

  @Test
  void late_calls_are_those_of_the_full_form_that_ended_or_were_given_up() {
    assertThat(Query.of(INTERVAL, List.of(), BATCH).get(2))
        .contains(
            "increase(rag_stage_late_seconds_bucket"
                + "{variant=\"v0\",outcome=~\"success|timeout\",pod!=\"\",");
  }

  @Test
  void extra_matchers_are_in_every_selector() {
    for (String query : Query.of(INTERVAL, List.of("cluster=\"eu\""), BATCH)) {
      assertThat(query.split("\\brag_(stage|journey|backend)_", -1).length - 1)
          .isPositive()
          .isEqualTo(query.split("cluster=\"eu\",journey=~", -1).length - 1);
    }
  }
}
