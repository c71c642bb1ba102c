package dev.ragjourney.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ragjourney.budget.Finding;
import dev.ragjourney.crd.spec.RagJourneySpec;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SpecReaderTest {
  static Stream<SpecCase> valid() {
    return ValidSpecs.all().stream();
  }

  static Stream<SpecCase> refused() {
    return Stream.concat(InvalidSpecs.all().stream(), UnsupportedSpecs.all().stream());
  }

  @ParameterizedTest
  @MethodSource("valid")
  void a_valid_spec_is_read(SpecCase row) {
    assertThat(read(row)).isInstanceOf(SpecReading.Valid.class);
  }

  @ParameterizedTest
  @MethodSource("refused")
  void a_wrong_spec_is_refused_at_the_right_place(SpecCase row) {
    assertThat(findings(row))
        .as("path and reason")
        .anySatisfy(
            finding -> {
              assertThat(finding.path()).isEqualTo(row.path());
              assertThat(finding.reason()).isEqualTo(row.reason());
            });
  }

  static Stream<SpecCase> unknown() {
    return Stream.concat(UnknownFieldSpecs.all().stream(), MisspeltFields.all().stream());
  }

  static Stream<ReorderedSpecs.Row> reordered() {
    return ReorderedSpecs.all().stream();
  }

  @ParameterizedTest
  @MethodSource("reordered")
  void another_order_of_the_same_elements_is_refused(ReorderedSpecs.Row row) {
    assertThat(SpecReader.read("faq", Yaml.read(row.before(), RagJourneySpec.class)))
        .isInstanceOf(SpecReading.Valid.class);
    assertThat(SpecReader.read("faq", Yaml.read(row.after(), RagJourneySpec.class)))
        .isInstanceOfSatisfying(
            SpecReading.Invalid.class,
            invalid ->
                assertThat(invalid.findings())
                    .extracting(Finding::path)
                    .anyMatch(path -> path.startsWith(row.path())));
  }

  @Test
  void every_field_is_misspelt_once() {
    assertThat(MisspeltFields.all()).hasSizeGreaterThan(200);
  }

  @ParameterizedTest
  @MethodSource("valid")
  void a_valid_spec_has_no_unknown_field(SpecCase row) {
    assertThat(UnknownFields.in(Yaml.read(row.spec(), Object.class))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("unknown")
  void an_unknown_field_is_found_in_the_raw_object(SpecCase row) {
    assertThat(UnknownFields.in(Yaml.read(row.spec(), Object.class)))
        .extracting(Finding::path, Finding::reason)
        .containsExactly(tuple(row.path(), row.reason()));
  }

  @Test
  void a_typing_error_is_answered_with_the_field_that_was_meant() {
    assertThat(UnknownFields.in(Yaml.read("{budget: {totl: 3s}}", Object.class)))
        .extracting(Finding::message)
        .containsExactly("spec.budget.totl is no field of this version; did you mean total?");
  }

  @Test
  void the_reader_leaves_a_newer_version_s_field_alone() {
    assertThat(
            SpecReader.read(
                "faq",
                Yaml.read(
                    "{budget: {total: 3s}, documents: {configMap: {name: d}}, newer: {a: 1}}",
                    RagJourneySpec.class)))
        .isInstanceOf(SpecReading.Valid.class);
  }

  @Test
  void a_missing_spec_is_a_finding() {
    assertThat(SpecReader.read("faq", null))
        .isEqualTo(
            new SpecReading.Invalid(
                List.of(
                    new Finding(
                        "spec",
                        "Required",
                        "spec is missing; give at least budget.total and documents."))));
  }

  static List<Finding> findings(SpecCase row) {
    return read(row) instanceof SpecReading.Invalid(List<Finding> findings) ? findings : List.of();
  }

  private static SpecReading read(SpecCase row) {
    return SpecReader.read(row.journey(), Yaml.read(row.spec(), RagJourneySpec.class));
  }
}
