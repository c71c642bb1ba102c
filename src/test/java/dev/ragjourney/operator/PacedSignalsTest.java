package dev.ragjourney.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.rebalance.JourneyId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Signals of the whole fleet go through a few at a time")
class PacedSignalsTest {
  private final List<String> signalled = new ArrayList<>();
  private long now;
  private final PacedSignals paced = new PacedSignals(id -> signalled.add(id.name()), () -> now);

  @Test
  void as_many_go_through_as_there_are_places_and_the_next_when_one_is_reconciled() {
    offer(20);
    assertThat(signalled).isEqualTo(names(0, 8));

    paced.reconciled(id(3));
    paced.reconciled(id(0));
    assertThat(signalled).isEqualTo(names(0, 10));
  }

  @Test
  void all_come_through_in_their_order() {
    offer(50);
    for (int i = 0; i < 50; i++) {
      paced.reconciled(id(i));
    }
    assertThat(signalled).isEqualTo(names(0, 50));
  }

  @Test
  void what_was_offered_first_of_all_does_not_wait_for_those_that_wait() {
    offer(20);
    paced.offerFirst(id(99));
    paced.offerFirst(id(15));
    paced.reconciled(id(0));
    paced.reconciled(id(1));
    assertThat(signalled).hasSize(10).endsWith("15", "99");

    for (int i = 0; i < 20; i++) {
      paced.reconciled(id(i));
    }
    paced.reconciled(id(99));
    assertThat(signalled).hasSize(21).doesNotHaveDuplicates();
  }

  @Test
  void a_journey_that_waits_is_signalled_once_and_again_when_it_is_offered_later() {
    offer(10);
    paced.offer(id(9));
    paced.offer(id(0));
    for (int i = 0; i < 10; i++) {
      paced.reconciled(id(i));
    }
    assertThat(signalled).hasSize(11).endsWith("0").containsOnlyOnce("9");
  }

  @Test
  void a_reconcile_that_began_by_itself_takes_no_place() {
    offer(9);
    paced.reconciled(id(100));
    assertThat(signalled).hasSize(8);
  }

  @Test
  void journeys_that_are_gone_give_their_places_away_after_a_while() {
    offer(12);
    now = PacedSignals.PATIENCE.toNanos();
    paced.offer(id(50));
    assertThat(signalled).hasSize(8);

    now++;
    paced.offer(id(51));
    assertThat(signalled).hasSize(14).endsWith("50", "51");
  }

  private void offer(int number) {
    IntStream.range(0, number).forEach(i -> paced.offer(id(i)));
  }

  private static JourneyId id(int number) {
    return new JourneyId("shop", Integer.toString(number));
  }

  private static List<String> names(int from, int to) {
    return IntStream.range(from, to).mapToObj(Integer::toString).toList();
  }
}
