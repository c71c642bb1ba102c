package dev.ragjourney.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.operator.Journeys;
import org.junit.jupiter.api.Test;

/** A cluster's CRD that lacks fields of this operator. */
class OlderCrdInStatusTest {
  @Test
  void what_the_crd_lacks_is_left_out_and_all_else_is_as_ever() {
    RagJourneyStatus whole = Journeys.minimal().rolledOut().status();

    RagJourneyStatus status =
        Journeys.minimal().rolledOut().unserved("status.effective", "status.plan.pods").status();

    assertThat(status.effective()).isNull();
    assertThat(status.plan().pods()).isNull();
    assertThat(status.plan().revision()).isEqualTo(whole.plan().revision());
    assertThat(status.conditions()).isEqualTo(whole.conditions());
    assertThat(status.stages()).isEqualTo(whole.stages());
  }

  @Test
  void the_same_again_changes_nothing_and_tells_nothing() {
    RagJourneyStatus once = Journeys.minimal().rolledOut().unserved("status.effective").status();

    RagJourneyStatus again =
        Journeys.minimal().rolledOut().unserved("status.effective").lastStatus(once).status();

    assertThat(again).isEqualTo(once);
    assertThat(EventFold.events(once, again)).isEmpty();
  }
}
