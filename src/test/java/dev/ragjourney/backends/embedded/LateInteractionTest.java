package dev.ragjourney.backends.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.StageCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LateInteractionTest {
  private static HouseRules rules;
  private static LateInteraction reranker;

  @BeforeAll
  static void index() throws Exception {
    rules = new HouseRules();
    reranker = new LateInteraction(rules.vectors);
  }

  @AfterAll
  static void close() throws Exception {
    rules.close();
  }

  private static List<Passage> reranked(String question, List<Passage> passages) throws Exception {
    return reranker.rerank(Calls.patient(), question, passages).passages();
  }

  @ParameterizedTest(name = "{0} → {1}")
  @CsvSource({
    "How many vacation days do I have?, leave.txt#1",
    "When do I need a certificate from a physician?, sick.txt#1",
    "Who do I tell that my computer was stolen?, laptop.txt#1",
    "How expensive may a hotel be?, travel.txt#1",
    "When is the espresso maker washed?, coffee.txt#1",
  })
  void the_passage_with_the_answer_comes_first_whatever_the_order_before(String question, String id)
      throws Exception {
    assertThat(reranked(question, HouseRules.ALL).getFirst().id()).isEqualTo(id);
    assertThat(reranked(question, HouseRules.ALL.reversed()).getFirst().id()).isEqualTo(id);
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @ValueSource(strings = {"", " ", "who is it?", "?!", "😀", "leave", "\0"})
  void the_same_passages_come_back_with_finite_falling_scores(String question) throws Exception {
    List<Passage> reranked = reranked(question, HouseRules.ALL);
    assertThat(reranked)
        .extracting(Passage::id)
        .containsExactlyInAnyOrderElementsOf(HouseRules.ALL.stream().map(Passage::id).toList());
    assertThat(reranked)
        .extracting(Passage::score)
        .isSortedAccordingTo((a, b) -> Double.compare(b, a))
        .allMatch(score -> score >= -1 && score <= 1);
  }

  @Test
  void a_passage_from_elsewhere_scores_as_if_it_were_in_the_index() throws Exception {
    Passage leave = HouseRules.LEAVE;
    Passage elsewhere = new Passage("elsewhere", leave.title(), leave.text(), 0.5);
    List<Passage> reranked = reranked("paid leave", List.of(leave, elsewhere));
    assertThat(reranked.get(1).score()).isCloseTo(reranked.get(0).score(), within(1e-9));
    assertThat(reranked).extracting(Passage::id).containsExactly(leave.id(), "elsewhere");
  }

  @Test
  void a_passage_with_a_known_id_and_another_text_is_judged_by_its_text() throws Exception {
    Passage changed = new Passage(HouseRules.LEAVE.id(), "Fish", "Trout swim in rivers.", 0);
    double before = reranked("paid leave", List.of(HouseRules.LEAVE)).getFirst().score();
    assertThat(reranked("paid leave", List.of(changed)).getFirst().score())
        .isLessThan(before - 0.2);
  }

  @Test
  void scores_are_the_same_where_memory_did_not_do_for_the_vectors() throws Exception {
    try (EmbeddedIndex bare =
        new IndexBuilder(rules.encoder, 0, done -> {}).build(HouseRules.ALL)) {
      assertThat(bare.vectors(HouseRules.LEAVE)).isNull();
      assertThat(rules.index.vectors(HouseRules.LEAVE)).isNotNull();
      VectorSource source = new VectorSource(() -> rules.encoder, () -> bare);
      assertThat(
              new LateInteraction(source)
                  .rerank(Calls.patient(), "paid leave", HouseRules.ALL)
                  .passages())
          .isEqualTo(reranked("paid leave", HouseRules.ALL));
    }
  }

  @Test
  void odd_passages_get_finite_scores() throws Exception {
    List<Passage> odd =
        List.of(
            new Passage("empty", "", "", 0),
            new Passage("marks", "?", "!!! ...", 0),
            new Passage("long", "x", "word ".repeat(100_000), 0));
    assertThat(reranked("paid leave", odd))
        .hasSize(3)
        .allMatch(passage -> passage.score() >= -1 && passage.score() <= 1);
    assertThat(reranked("paid leave", List.of())).isEmpty();
  }

  @Test
  void a_cancelled_call_ends_between_two_passages() {
    List<Passage> elsewhere = new ArrayList<>();
    IntStream.range(0, 200)
        .forEach(i -> elsewhere.add(new Passage("p" + i, "T", "Text number " + i, 0)));
    for (int checks : new int[] {0, 1, 7}) {
      Calls.Cutter cutter = new Calls.Cutter(checks);
      StageCall call = Calls.within(Duration.ofMinutes(1), cutter);
      assertThatThrownBy(() -> reranker.rerank(call, "paid leave", elsewhere))
          .isInstanceOf(CallCancelledException.class);
      assertThat(cutter.asked()).as("no check after the one that failed").isEqualTo(checks + 1);
    }
  }
}
