package dev.ragjourney.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ragjourney.budget.LevelStage;
import dev.ragjourney.crd.parsed.ObjectKey;
import dev.ragjourney.crd.parsed.ParsedBackend;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.crd.parsed.ParsedStage;
import dev.ragjourney.crd.parsed.StageForm;
import dev.ragjourney.crd.spec.RagJourneySpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of the 8 s journey that declares every stage and level itself. */
class LessonTest {
  private static final ParsedJourney LESSON = lesson();

  @Test
  void each_level_names_the_forms_it_uses() {
    assertThat(LESSON.levels())
        .extracting(level -> level.name(), level -> level.variants())
        .containsExactly(
            tuple("full", Map.of()),
            tuple("fast", Map.of("search", "v1")),
            tuple("minimal", Map.of("search", "v2", "generate", "v1")),
            tuple("sorry", Map.of()));
  }

  @Test
  void a_smaller_model_and_fewer_passages_are_forms_of_their_own() {
    assertThat(stage("search").forms()).extracting(StageForm::topK).containsExactly(10, 5, 3);
    assertThat(stage("generate").forms())
        .extracting(StageForm::variant, StageForm::backend, StageForm::maxTokens)
        .containsExactly(tuple("v0", "big-llm", 500), tuple("v1", "small-llm", 150));
    assertThat(stage("rerank").forms()).extracting(StageForm::topK).containsExactly(5);
  }

  @Test
  void fallbacks_run_in_a_form_of_their_own() {
    assertThat(stage("search").fallback())
        .extracting(StageForm::backend, StageForm::keywordOnly, StageForm::topK)
        .containsExactly("embedded", true, 10);
    assertThat(stage("generate").fallback())
        .extracting(StageForm::backend, StageForm::maxTokens, StageForm::instructions)
        .containsExactly("small-llm", 500, "Answer from the context.");
    assertThat(stage("rewrite").fallback()).isNull();
  }

  @Test
  void thresholds_and_floors_of_single_stages_reach_the_budget() {
    assertThat(LESSON.budget().levels().get(2).stages())
        .containsExactly(new LevelStage("generate", null, Duration.ofMillis(600)));
    assertThat(LESSON.budget().levels().get(0).stages())
        .containsExactly(new LevelStage("generate", Duration.ofSeconds(4), null));
    assertThat(LESSON.staticMessage()).isEqualTo("Try again in a moment.");
  }

  @Test
  void backends_carry_plain_settings_and_references_to_secrets() {
    ParsedBackend llm = backend("big-llm");
    assertThat(llm.kind()).isEqualTo("openai");
    assertThat(llm.settings())
        .isEqualTo(
            Map.of(
                "url", "https://llm.example/v1", "model", "gpt-4o", "reasoningEffort", "minimal"));
    assertThat(llm.secrets())
        .isEqualTo(Map.of("apiKey", new ObjectKey(ObjectKey.Source.SECRET, "llm", "token")));
    assertThat(llm.labels()).isEqualTo(Map.of("provider", "openai", "region", "eu"));
    assertThat(llm.connectTimeout()).isEqualTo(Duration.ofSeconds(1));
    assertThat(llm.maxConcurrent()).isEqualTo(100);
  }

  @Test
  void headers_hold_a_value_or_a_reference() {
    ParsedBackend llm = backend("small-llm");
    assertThat(llm.headers())
        .containsExactly(
            new ParsedBackend.Header("x-tenant", "faq", null),
            new ParsedBackend.Header(
                "x-key", null, new ObjectKey(ObjectKey.Source.SECRET, "llm", "extra")));
    assertThat(llm.connectTimeout()).isEqualTo(Duration.ofMillis(300));
    assertThat(llm.maxConcurrent()).isEqualTo(20);
    assertThat(llm.settings())
        .containsEntry("temperature", "0.2")
        .containsEntry("maxTokens", "300");
    assertThat(backend("reranker").ca())
        .isEqualTo(new ObjectKey(ObjectKey.Source.SECRET, "ca", "ca.crt"));
  }

  @Test
  void backends_that_nothing_names_are_left_out() {
    assertThat(LESSON.backends())
        .extracting(ParsedBackend::name)
        .containsExactly("small-llm", "embedded", "reranker", "big-llm");
  }

  @Test
  void the_pods_are_as_declared() {
    assertThat(LESSON.workload())
        .satisfies(
            workload -> {
              assertThat(workload.replicas()).isEqualTo(3);
              assertThat(workload.image()).isEqualTo("registry.example/ragjourney:1");
              assertThat(workload.imagePullSecrets()).isEqualTo(List.of("pull"));
              assertThat(workload.resources()).containsKeys("requests", "limits");
              assertThat(workload.serviceAccountAnnotations())
                  .isEqualTo(Map.of("example.com/role", "reader"));
              assertThat(workload.podTemplate().labels()).isEqualTo(Map.of("team", "search"));
            });
  }

  private static ParsedStage stage(String name) {
    return LESSON.stages().stream().filter(s -> s.name().equals(name)).findFirst().orElseThrow();
  }

  private static ParsedBackend backend(String name) {
    return LESSON.backends().stream().filter(b -> b.name().equals(name)).findFirst().orElseThrow();
  }

  private static ParsedJourney lesson() {
    SpecCase row =
        ValidSpecs.all().stream()
            .filter(candidate -> candidate.sentence().contains("lesson"))
            .findFirst()
            .orElseThrow();
    return ((SpecReading.Valid)
            SpecReader.read(row.journey(), Yaml.read(row.spec(), RagJourneySpec.class)))
        .journey();
  }
}
