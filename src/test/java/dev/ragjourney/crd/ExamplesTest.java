package dev.ragjourney.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import dev.ragjourney.budget.Feasibility;
import dev.ragjourney.crd.spec.RagJourneySpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExamplesTest {
  private static final Path EXAMPLES = Path.of("examples");

  /** A ConfigMap holds 1 MiB in all. */
  private static final long MOST_BYTES = 1 << 20;

  /** One resource of one file. */
  record Example(Path file, JsonNode resource) {
    @Override
    public String toString() {
      return file + " " + resource.at("/metadata/name").asText();
    }
  }

  static List<Example> journeys() {
    List<Example> found = new ArrayList<>();
    for (Path file : files(EXAMPLES)) {
      if (!file.toString().endsWith(".yaml")) {
        continue;
      }
      try (MappingIterator<JsonNode> documents =
          Yaml.MAPPER.readerFor(JsonNode.class).readValues(file.toFile())) {
        while (documents.hasNext()) {
          JsonNode resource = documents.next();
          if (resource.path("kind").asText().equals(RagJourney.KIND)) {
            found.add(new Example(file, resource));
          }
        }
      } catch (IOException wrong) {
        throw new UncheckedIOException(wrong);
      }
    }
    return found;
  }

  @Test
  void the_examples_are_there() {
    assertThat(journeys())
        .extracting(example -> example.file().getFileName().toString())
        .contains(
            "minimal.yaml",
            "full.yaml",
            "openai-llm.yaml",
            "tools.yaml",
            "hybrid.yaml",
            "self-hosted.yaml",
            "azure.yaml",
            "journey.yaml");
  }

  @ParameterizedTest
  @MethodSource("journeys")
  void an_example_conforms_to_the_schema_and_has_no_unknown_field(Example example) {
    assertThat(CrdSchema.complaints(example.resource())).isEmpty();
    assertThat(UnknownFields.in(Yaml.MAPPER.convertValue(spec(example), Object.class))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("journeys")
  void an_example_can_be_carried_out_within_its_budget(Example example) {
    SpecReading reading = read(example);
    assertThat(reading).isInstanceOf(SpecReading.Valid.class);
    Feasibility feasibility = Feasibility.check(((SpecReading.Valid) reading).journey().budget());
    assertThat(feasibility.feasible()).as(feasibility.message()).isTrue();
  }

  @Test
  void the_schema_refuses_a_field_that_does_not_exist() {
    JsonNode wrong =
        Yaml.read(
            """
            apiVersion: ragjourney.dev/v1alpha1
            kind: RagJourney
            metadata: {name: faq}
            spec: {budget: {total: 3s, totl: 3s}, documents: {configMap: {name: d}}}
            """,
            JsonNode.class);
    assertThat(CrdSchema.complaints(wrong)).singleElement().asString().contains("totl");
  }

  @Test
  void the_minimal_example_has_six_lines() throws IOException {
    assertThat(Files.readAllLines(EXAMPLES.resolve("minimal.yaml"))).hasSize(6);
  }

  @Test
  void the_documents_fit_into_a_config_map() {
    List<Path> documents = files(EXAMPLES.resolve("documents"));
    assertThat(documents).hasSize(12);
    assertThat(documents)
        .allSatisfy(
            file -> {
              assertThat(file.getFileName().toString())
                  .matches("[-._a-zA-Z0-9]+\\.(md|txt|html|jsonl)");
              assertThat(file).content().isNotBlank();
            });
    assertThat(documents.stream().mapToLong(ExamplesTest::size).sum()).isLessThan(MOST_BYTES);
  }

  private static SpecReading read(Example example) {
    return SpecReader.read(
        example.resource().at("/metadata/name").asText(),
        Yaml.MAPPER.convertValue(spec(example), RagJourneySpec.class));
  }

  private static JsonNode spec(Example example) {
    return example.resource().path("spec");
  }

  private static List<Path> files(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException wrong) {
      throw new UncheckedIOException(wrong);
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException wrong) {
      throw new UncheckedIOException(wrong);
    }
  }
}
