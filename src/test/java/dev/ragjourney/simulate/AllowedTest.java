package dev.ragjourney.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AllowedTest {
  @Test
  void ten_may_be_saved_up_and_every_call_adds_the_share() {
    Allowed quarter = new Allowed(0.25, 1);
    for (int call = 0; call < 100; call++) {
      quarter.called();
    }
    for (int use = 0; use < 10; use++) {
      assertThat(quarter.take()).isTrue();
    }
    assertThat(quarter.take()).isFalse();
    for (int call = 0; call < 3; call++) {
      quarter.called();
    }
    assertThat(quarter.take()).as("after three more calls").isFalse();
    quarter.called();
    assertThat(quarter.take()).as("after four").isTrue();
  }

  @Test
  void no_more_are_under_way_at_once_than_may_be_and_none_beyond_the_share() {
    Allowed two = new Allowed(0, 2);
    assertThat(two.enter()).isTrue();
    assertThat(two.enter()).isTrue();
    assertThat(two.enter()).as("a third one at once").isFalse();
    for (int use = 0; use < 8; use++) {
      two.leave();
      assertThat(two.enter()).isTrue();
    }
    two.leave();
    assertThat(two.enter()).as("the eleventh").isFalse();
  }
}
