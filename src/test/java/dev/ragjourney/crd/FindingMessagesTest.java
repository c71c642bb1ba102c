package dev.ragjourney.crd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.Finding;
import dev.ragjourney.crd.spec.RagJourneySpec;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Findings say the value that was found and what would be right. */
class FindingMessagesTest {
  private static final String PLAIN = "budget: {total: 3s}\ndocuments: {configMap: {name: d}}\n";

  private static final String QDRANT =
      "backends: [{name: docs, qdrant: {url: \"http://q.example\", collection: c}}]";

  static Stream<Arguments> messages() {
    return Stream.of(
        Arguments.of(
            "budget: {total: 1.5s}\ndocuments: {configMap: {name: d}}",
            "spec.budget.total",
            "'1.5s' has decimals; write 1s500ms."),
        Arguments.of(
            "budget: {total: 0s}\ndocuments: {configMap: {name: d}}",
            "spec.budget.total",
            "'0s' is zero; at least 1ms is needed here."),
        Arguments.of(
            "budget: {total: 11m}\ndocuments: {configMap: {name: d}}",
            "spec.budget.total",
            "11m is out of range; from 50ms to 10m is right."),
        Arguments.of(
            PLAIN
                + "stages: [{name: search, type: Search, cap: 4s}, {name: generate, type: Generate}]",
            "spec.stages[0].cap",
            "cap 4s is above budget.total 3s; at most 3s is right."),
        Arguments.of(
            PLAIN
                + "stages: [{name: search, type: Search, backend: docs}, {name: generate, type: Generate}]\n"
                + "backends: [{name: mine, http: {url: \"http://m.example/\"}}]",
            "spec.stages[0].backend",
            "'docs' is not the name of a backend; the names are mine."),
        Arguments.of(
            PLAIN
                + "stages: [{name: search, type: Search, backend: llm}, {name: generate, type: Generate}]\n"
                + "backends: [{name: llm, openai: {url: \"http://l.example/v1\", model: m}}]",
            "spec.stages[0].backend",
            "backend 'llm' of kind openai does Rewrite, Embed, Generate; a Search stage needs one of"
                + " kind embedded, azureSearch, elasticsearch, opensearch, pgvector, qdrant,"
                + " weaviate, pinecone, http."),
        Arguments.of(
            PLAIN
                + "fallbackLevels: [{name: full, minRemaining: 1s}, {name: fast, minRemaining: 2s},"
                + " {name: sorry, answer: Static, message: x}]",
            "spec.fallbackLevels[1].minRemaining",
            "minRemaining 2s of level 'fast' is not below 1s of level 'full' above it; order the"
                + " levels best first."),
        Arguments.of(
            PLAIN
                + "stages: [{name: embed, type: Embed, parallel: g}, {name: search, type: Search, parallel: g},"
                + " {name: generate, type: Generate}]",
            "spec.stages[0].parallel",
            "nothing after the group uses the vector, and the stages beside this one do not wait for"
                + " it; let it run before, or add a Search or Tool after."),
        Arguments.of(
            PLAIN
                + "stages: [{name: search, type: Search, backend: docs}, {name: generate, type: Generate}]\n"
                + QDRANT,
            "spec.stages[0].backend",
            "backend 'docs' of kind qdrant searches by vector, and no Embed stage runs before"
                + " 'search'; add one before it."),
        Arguments.of(
            PLAIN
                + "stages: [{name: embed, type: Embed}, {name: search, type: Search, backend: docs,"
                + " speculative: Keyword}, {name: generate, type: Generate}]\n"
                + QDRANT,
            "spec.stages[1].speculative",
            "backend 'docs' of kind qdrant searches by vector alone and knows no keyword search;"
                + " leave speculative out."),
        Arguments.of(
            PLAIN
                + "fallbackLevels: [{name: full, minRemaining: 1s, stages: [{name: search, ef: 40}]},"
                + " {name: sorry, answer: Static, message: x}]",
            "spec.fallbackLevels[0].stages[0].ef",
            "ef 40 is for a backend of kind qdrant; 'search' runs on 'embedded' of kind embedded at"
                + " this level. Leave it out, or name such a backend."),
        Arguments.of(
            PLAIN + "rebalance: {mode: Off}",
            "spec.rebalance.mode",
            "'Off' is none of Auto, Recommend, Disabled."),
        Arguments.of(
            PLAIN + "workload: {autoscaling: {maxReplicas: 3}, resources: {limits: {memory: 1Gi}}}",
            "spec.workload.resources",
            "autoscaling aims at a share of the CPU request, and there is none; add requests.cpu."));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void a_finding_names_the_value_and_what_would_be_right(String spec, String path, String message) {
    assertThat(findings(spec))
        .filteredOn(finding -> finding.path().equals(path))
        .extracting(Finding::message)
        .containsExactly(message);
  }

  @Test
  void all_that_is_wrong_is_said_at_once() {
    assertThat(
            findings(
                "budget: {total: -1s, reserve: x}\nobjective: {missRatio: 5}\nstages: [{type: Search}]"))
        .extracting(Finding::path)
        .containsExactly(
            "spec.budget.total",
            "spec.budget.reserve",
            "spec.objective.missRatio",
            "spec.stages[0].name");
  }

  /** A real API server drops such an entry; one that runs no schema keeps it. */
  @Test
  void a_null_in_a_map_is_found() {
    assertThat(
            findings(
                PLAIN
                    + "backends: [{name: b, labels: {region: null}, http: {url: \"http://b.example/\"}}]"))
        .extracting(Finding::path)
        .containsExactly("spec.backends[0].labels.region");
  }

  @Test
  void a_password_in_an_address_is_never_shown() {
    String secret = "s3cret";
    for (String backend :
        List.of(
            "http: {url: \"http://user:" + secret + "@b.example/\"}",
            "http: {url: \"ftp://user:" + secret + "@b.example/\"}",
            "http: {url: \"http://user:" + secret + "@b .example/\"}",
            "pgvector: {url: \"jdbc:postgresql://u:" + secret + "@db.example/c\", table: t}")) {
      assertThat(findings(PLAIN + "backends: [{name: b, " + backend + "}]"))
          .isNotEmpty()
          .extracting(Finding::message)
          .noneMatch(message -> message.contains(secret));
    }
  }

  private static List<Finding> findings(String spec) {
    return SpecReader.read("faq", Yaml.read(spec, RagJourneySpec.class))
            instanceof SpecReading.Invalid(List<Finding> findings)
        ? findings
        : List.of();
  }
}
