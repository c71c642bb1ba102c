package dev.ragjourney.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueryTest {
  private static final Duration INTERVAL = Duration.ofMinutes(5);

  @Test
  void a_round_is_three_queries_for_any_number_of_journeys() {
    assertThat(Query.round(INTERVAL, List.of())).hasSize(3);
  }

  @Test
  void restarts_are_seen_first_then_double_scrapes_then_pods_are_added_up() {
    assertThat(Query.round(INTERVAL, List.of()).getFirst())
        .isEqualTo(
            """
            label_replace(sum by (namespace, journey, stage, outcome, cut, le) \
            (max by (namespace, journey, stage, outcome, cut, le, rag_process) \
            (label_replace(label_replace(label_replace(increase(\
            rag_stage_duration_seconds_bucket{variant="v0",\
            outcome=~"success|degraded|timeout|cancelled",cut!="caller"}[300000ms]), \
            "namespace", "$1", "exported_namespace", "(.+)"), \
            "rag_process", "$1", "instance", "(.+)"), \
            "rag_process", "$1", "pod", "(.+)"))) != 0, \
            "rag_kind", "latency", "", "")""");
  }

  @Test
  void journeys_that_their_caller_shortened_are_in_no_share_of_answers() {
    assertThat(Query.round(INTERVAL, List.of()).get(1))
        .contains("increase(rag_journey_answers_total{deadline=\"own\"}[300000ms])");
  }

  @Test
  void late_calls_are_those_of_the_full_form_that_ended_or_were_given_up() {
    assertThat(Query.round(INTERVAL, List.of()).get(2))
        .contains(
            "increase(rag_stage_late_seconds_bucket"
                + "{variant=\"v0\",outcome=~\"success|timeout\"}[300000ms])");
  }

  @Test
  void extra_matchers_are_in_every_selector() {
    for (String query : Query.round(INTERVAL, List.of("cluster=\"eu\""))) {
      assertThat(query.split("\\brag_(stage|journey|backend)_", -1).length - 1)
          .isPositive()
          .isEqualTo(query.split("cluster=\"eu\"}", -1).length - 1);
    }
  }
}
