package dev.ragjourney.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ragjourney.budget.LearningPolicy;
import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.plan.InvalidPlanException.Reason;
import dev.ragjourney.support.HelpedPlans;
import dev.ragjourney.support.SamplePlans;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PlanCodecTest {

  static Stream<Plan> plans() {
    return Stream.of(
        SamplePlans.smallest(),
        SamplePlans.large(),
        HelpedPlans.with(SamplePlans.smallest(), "search"));
  }

  @ParameterizedTest
  @MethodSource("plans")
  void what_is_written_is_read_back_the_same(Plan plan) throws Exception {
    assertThat(PlanCodec.read(PlanCodec.write(plan))).isEqualTo(plan);
  }

  @ParameterizedTest
  @MethodSource("plans")
  void writing_what_was_read_gives_the_same_bytes(Plan plan) throws Exception {
    String json = PlanCodec.write(plan);
    assertThat(PlanCodec.write(PlanCodec.read(json))).isEqualTo(json);
  }

  @Test
  void the_document_is_the_golden_file_byte_for_byte() throws Exception {
    assertThat(PlanCodec.write(SamplePlans.large())).isEqualTo(golden());
  }

  @Test
  void maps_are_written_by_key_whatever_order_they_were_filled_in() throws Exception {
    assertThat(PlanCodec.write(withSettings(new TreeMap<>(settings()))))
        .isEqualTo(PlanCodec.write(withSettings(new HashMap<>(settings()))))
        .containsSubsequence("\"key0\"", "\"key1\"", "\"key2\"", "\"key9\"");
  }

  @Test
  void a_field_of_a_newer_writer_is_ignored() throws Exception {
    String json = golden().replace("\"reserve\"", "\"jitter\": {\"of\": [1]}, \"reserve\"");
    assertThat(json).contains("jitter");
    assertThat(PlanCodec.read(json)).isEqualTo(SamplePlans.large());
  }

  @Test
  void what_pods_learn_is_nothing_where_an_older_writer_does_not_say() throws Exception {
    String learning =
        """
        ,
            "learning": {
              "lateShare": 0.01,
              "probeShare": 0.01
            }""";
    assertThat(golden()).contains(learning);
    Plan older = PlanCodec.read(golden().replace(learning, ""));

    assertThat(older.policy().learns()).isEqualTo(LearningPolicy.NOTHING);
    assertThat(PlanCodec.read(golden()).policy().learns())
        .isEqualTo(new LearningPolicy(0.01, 0.01));
  }

  @Test
  void what_is_left_out_is_nothing_where_an_older_writer_does_not_say() throws Exception {
    assertThat(golden()).doesNotContain("leftOut");
    assertThat(PlanCodec.read(golden()).budget().leaves()).isEqualTo(LeftOut.NOTHING);

    Plan left = leaving(LeftOut.NOTHING.with("rerank").from("fast"));
    assertThat(PlanCodec.read(PlanCodec.write(left)))
        .isEqualTo(left)
        .returns(1, plan -> plan.budget().startLevel());
    assertThat(leaving(LeftOut.NOTHING)).isEqualTo(SamplePlans.large());
  }

  static Stream<Arguments> leftOut() {
    String optional = "the optional stages [rewrite, rerank]";
    String levels = "the levels below the first that run stages [fast, minimal]";
    return Stream.of(
        Arguments.of(
            LeftOut.NOTHING.with("rerank").with("search"),
            "budget.leftOut.stages[1]: \"search\" is not among " + optional),
        Arguments.of(
            LeftOut.NOTHING.with("rank"),
            "budget.leftOut.stages[0]: \"rank\" is not among " + optional),
        Arguments.of(
            LeftOut.NOTHING.with("rerank").with("rerank"),
            "budget.leftOut.stages: rerank is there more than once"),
        Arguments.of(
            LeftOut.NOTHING.from("full"),
            "budget.leftOut.startLevel: \"full\" is not among " + levels),
        Arguments.of(
            LeftOut.NOTHING.from("sorry"),
            "budget.leftOut.startLevel: \"sorry\" is not among " + levels),
        Arguments.of(
            new LeftOut(List.of("rerank"), null, 0),
            "budget.leftOut.trialShare: 0.0; above 0 and at most 1, or nobody would notice a"
                + " recovery"),
        Arguments.of(
            new LeftOut(List.of("rerank"), null, 1.5),
            "budget.leftOut.trialShare: 1.5; above 0 and at most 1, or nobody would notice a"
                + " recovery"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("leftOut")
  void what_cannot_be_left_out_is_refused_with_what_can(LeftOut left, String message) {
    InvalidPlanException refused =
        catchThrowableOfType(InvalidPlanException.class, () -> PlanCodec.write(leaving(left)));
    assertThat(refused).hasMessage(message).returns(Reason.FIELD, InvalidPlanException::reason);
  }

  private static Plan leaving(LeftOut left) {
    Plan plan = SamplePlans.large();
    return SamplePlans.withBudget(plan, plan.budget().leaving(left));
  }

  @Test
  void a_file_cut_anywhere_is_refused_as_not_whole() throws Exception {
    byte[] whole = golden().stripTrailing().getBytes(StandardCharsets.UTF_8);
    for (int length = 0; length < whole.length; length += 97) {
      String half = new String(whole, 0, length, StandardCharsets.UTF_8);
      InvalidPlanException refused = refused(half);
      assertThat(refused.reason()).as("cut after %d bytes", length).isEqualTo(Reason.NOT_JSON);
    }
  }

  @Test
  void more_than_512_KiB_are_refused_unread() {
    String json = " ".repeat(PlanCodec.MAX_BYTES) + "{";
    assertThat(refused(json))
        .hasMessage("524289 bytes; at most 524288")
        .returns(Reason.TOO_LARGE, InvalidPlanException::reason);
  }

  @Test
  void a_plan_that_would_be_larger_than_512_KiB_is_not_written() {
    Plan plan =
        SamplePlans.withStaticMessage(SamplePlans.smallest(), "x".repeat(PlanCodec.MAX_BYTES));
    InvalidPlanException refused =
        catchThrowableOfType(InvalidPlanException.class, () -> PlanCodec.write(plan));
    assertThat(refused.reason()).isEqualTo(Reason.TOO_LARGE);
  }

  static Stream<Arguments> faults() {
    return Stream.of(
        fault(
            "another schema",
            "\"schemaVersion\": 1",
            "\"schemaVersion\": 2",
            "schemaVersion: 2; this version reads 1"),
        fault(
            "no schema",
            "\"schemaVersion\"",
            "\"x\"",
            "schemaVersion: missing; this version reads 1"),
        fault(
            "a schema in quotes",
            "\"schemaVersion\": 1",
            "\"schemaVersion\": \"1\"",
            "schemaVersion: \"1\"; this version reads 1"),
        fault(
            "a duration with decimals",
            "\"cap\": \"400ms\"",
            "\"cap\": \"0.4s\"",
            "budget.stages[0].cap: '0.4s' has decimals; write 400ms."),
        fault(
            "a negative duration",
            "\"total\": \"8s\"",
            "\"total\": \"-8s\"",
            "budget.total: '-8s' has a sign; a duration is never negative and needs none."),
        fault(
            "a total of zero",
            "\"total\": \"8s\"",
            "\"total\": \"0s\"",
            "budget.total: zero; a journey needs time"),
        fault(
            "a duration that is a number",
            "\"total\": \"8s\"",
            "\"total\": 8",
            "budget.total: 8 is not a string."),
        fault(
            "an unknown stage type",
            "\"type\": \"Rerank\"",
            "\"type\": \"Sort\"",
            "budget.stages[3].type: 'Sort' is not one of [Rewrite, Embed, Search, Rerank,"
                + " Generate, Tool]."),
        fault(
            "a missing field",
            "\"countTo\"",
            "\"countedTo\"",
            "budget.countTo: Missing required creator property 'countTo' (index 1)"),
        fault(
            "a null where a value is needed",
            "\"journey\": \"assistant\"",
            "\"journey\": null",
            "journey: Invalid `null` value encountered for property \"journey\""),
        fault(
            "a number in quotes",
            "\"revision\": 42",
            "\"revision\": \"42\"",
            "revision: Cannot coerce String value"),
        fault(
            "a stage form that names no backend",
            "\"backend\": \"reranker\"",
            "\"backend\": \"ranker\"",
            "stages[3].variants[0].backend: \"ranker\" is not among the backends [embedded,"
                + " big-llm, small-llm, docs, reranker]"),
        fault(
            "a level that names no variant",
            "\"generate\": \"v1\"",
            "\"generate\": \"v9\"",
            "levels[2].variants.generate: \"v9\" is not among the variants of stage generate [v0,"
                + " v1]"),
        fault(
            "a level that skips no stage",
            "\"skip\": [\n          \"rerank\"",
            "\"skip\": [\n          \"rank\"",
            "budget.levels[1].skip[0]: \"rank\" is not among the stages [rewrite, embed, search,"
                + " rerank, generate]"),
        fault(
            "a backend that may have no call",
            "\"maxConcurrent\": 100",
            "\"maxConcurrent\": 0",
            "backends[0].maxConcurrent: below 1; no call could be made"),
        fault(
            "boundaries that fall",
            "\"boundaries\": [",
            "\"boundaries\": [ 9.0,",
            "boundaries[1]: 0.004 after 9.0; boundaries rise and are finite"),
        fault(
            "two generate stages",
            "\"type\": \"Rewrite\"",
            "\"type\": \"Generate\"",
            "budget.stages: 2 stages of type Generate; exactly one is needed"),
        fault(
            "no static last level",
            "\"answer\": \"Static\"",
            "\"answer\": \"Stages\"",
            "budget.levels: the last level must have the answer Static"));
  }

  @ParameterizedTest(name = "{0} is refused with its path")
  @MethodSource("faults")
  void a_fault_is_refused_with_its_path(String name, String right, String wrong, String message)
      throws Exception {
    assertThat(golden()).contains(right);
    assertThat(refused(golden().replaceFirst(java.util.regex.Pattern.quote(right), wrong)))
        .hasMessageStartingWith(message);
  }

  @Test
  void a_breaker_that_would_open_by_itself_is_refused() throws Exception {
    String json = PlanCodec.write(HelpedPlans.with(SamplePlans.smallest(), "search"));

    assertThat(refused(json.replace("\"errorRatio\": 0.25", "\"errorRatio\": 0.0")))
        .hasMessageContaining("A breaker needs ratios above 0 to 1");
  }

  @Test
  void a_duplicate_key_is_refused() throws Exception {
    assertThat(refused(golden().replaceFirst("\"journey\"", "\"revision\": 1, \"journey\"")))
        .hasMessageContaining("Duplicate field 'revision'");
  }

  @Test
  void text_after_the_document_is_refused() throws Exception {
    assertThat(refused(golden() + "}")).returns(Reason.NOT_JSON, InvalidPlanException::reason);
  }

  private static Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    for (int i = 9; i >= 0; i--) {
      settings.put("key" + i, "value");
    }
    return settings;
  }

  private static Plan withSettings(Map<String, String> settings) {
    return SamplePlans.withBackends(
        SamplePlans.smallest(), List.of(SamplePlans.backend("embedded", "embedded", settings)));
  }

  private static InvalidPlanException refused(String json) {
    InvalidPlanException refused =
        catchThrowableOfType(InvalidPlanException.class, () -> PlanCodec.read(json));
    assertThat(refused).as("accepted: %s", json).isNotNull();
    return refused;
  }

  private static Arguments fault(String name, String right, String wrong, String message) {
    return Arguments.of(name, right, wrong, message);
  }

  private static String golden() throws IOException {
    try (InputStream in = PlanCodecTest.class.getResourceAsStream("/plan/large.json")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
