package dev.ragjourney.crd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.rebalance.RebalancePolicy.CapRange;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RankerTimeTest {
  private static final String RANKED = "semanticConfiguration: s";

  @ParameterizedTest(
      name = "with \"{0}\" in {1} the cap is {2} ms by default and never below {3} ms")
  @CsvSource({
    "'semanticConfiguration: s',3s,1000,1000",
    "'semanticConfiguration: s, rankerMaxWait: 900ms',3s,1200,1200",
    "'semanticConfiguration: s',10s,2000,1000",
    "'rankerMaxWait: 900ms',3s,600,150",
    "'',3s,600,150"
  })
  void defaults(String azure, String total, long cap, long lowest) {
    ParsedJourney journey = read(total, azure, "");

    assertThat(journey.budget().stages().getFirst().cap()).isEqualTo(Duration.ofMillis(cap));
    assertThat(range(journey).min()).isEqualTo(Duration.ofMillis(lowest));
  }

  @Test
  void a_declared_cap_stays_and_does_not_move_below_the_time_of_the_ranker() {
    ParsedJourney journey = read("8s", RANKED, ", cap: 2s");

    assertThat(range(journey)).isEqualTo(new CapRange(Duration.ofSeconds(1), range(journey).max()));
    assertThat(journey.budget().stages().getFirst().cap()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void a_budget_without_room_for_the_ranker_is_no_reason_to_leave_nothing_for_the_answer() {
    ParsedJourney journey = read("1s", RANKED, "");

    assertThat(journey.budget().stages().getFirst().cap()).isEqualTo(Duration.ofMillis(550));
    assertThat(range(journey).min()).isEqualTo(Duration.ofMillis(550));
  }

  private static CapRange range(ParsedJourney journey) {
    return journey.rebalance().capRanges().get("search");
  }

  private static ParsedJourney read(String total, String azure, String stage) {
    String more = azure.isEmpty() ? "" : ", " + azure;
    RagJourneySpec spec =
        Yaml.read(
            """
            budget: {total: %s}
            stages:
            - {name: search, type: Search, backend: docs%s}
            - {name: generate, type: Generate, backend: llm}
            backends:
            - {name: docs, azureSearch: {endpoint: "https://s.example", index: i%s}}
            - {name: llm, openai: {url: "http://llm.example/v1", model: m}}
            """
                .formatted(total, stage, more),
            RagJourneySpec.class);
    return ((SpecReading.Valid) SpecReader.read("faq", spec)).journey();
  }
}
