package dev.ragjourney.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What breaks users of a CRD and what does not, on a small one. */
class CrdCompatibilityTest {
  private static final String SMALL =
      """
      spec:
        group: ragjourney.dev
        scope: Namespaced
        names: {kind: RagJourney, plural: ragjourneys, shortNames: [rj]}
        versions:
        - name: v1
          served: true
          subresources: {status: {}}
          schema:
            openAPIV3Schema:
              type: object
              properties:
                total: {type: string, maxLength: 20, pattern: '^[0-9]+s$'}
                count: {type: integer, minimum: 1, maximum: 9}
                mode: {type: string, enum: [Auto, Never]}
                stages:
                  type: array
                  maxItems: 16
                  x-kubernetes-list-type: atomic
                  items:
                    type: object
                    required: [name]
                    properties:
                      name: {type: string, minLength: 1}
                      cap: {type: string}
                    x-kubernetes-validations: [{rule: "has(self.name)", message: a}]
                labels: {type: object, additionalProperties: {type: string, maxLength: 63}}
                open: {type: object, x-kubernetes-preserve-unknown-fields: true}
      """;

  static Stream<Arguments> changes() {
    return Stream.of(
        fine("nothing", at("", o -> {})),
        fine("a new field", at("/properties", o -> o.putObject("more").put("type", "string"))),
        fine(
            "a new part with a field that it needs",
            at(
                "/properties",
                o -> {
                  ObjectNode more = o.putObject("more").put("type", "object");
                  more.putArray("required").add("name");
                  more.putObject("properties").putObject("name").put("type", "string");
                })),
        fine("another description", at("/properties/total", o -> o.put("description", "x"))),
        fine("a wider bound", at("/properties/count", o -> o.put("minimum", 0).put("maximum", 10))),
        fine("a bound less", at("/properties/count", o -> o.remove("maximum"))),
        fine("a choice more", at("/properties/mode", o -> ((ArrayNode) o.get("enum")).add("On"))),
        fine("no choices any more", at("/properties/mode", o -> o.remove("enum"))),
        fine("no pattern any more", at("/properties/total", o -> o.remove("pattern"))),
        fine("a field that is needed no more", at(ITEMS, o -> o.remove("required"))),
        fine("a rule less", at(ITEMS, o -> o.remove("x-kubernetes-validations"))),
        fine(
            "another message of a rule",
            at(ITEMS + "/x-kubernetes-validations/0", o -> o.put("message", "b"))),
        broken(
            "a field less",
            at(ITEMS + "/properties", o -> o.remove("cap")),
            "(v1).stages[].cap: is gone"),
        broken("a part less", at("/properties", o -> o.remove("stages")), "(v1).stages: is gone"),
        broken(
            "another type",
            at("/properties/count", o -> o.put("type", "string")),
            "(v1).count: type is \"string\", was \"integer\""),
        broken(
            "a tighter upper bound",
            at("/properties/count", o -> o.put("maximum", 8)),
            "(v1).count: maximum is 8, was 9"),
        broken(
            "a tighter lower bound",
            at("/properties/count", o -> o.put("minimum", 2)),
            "(v1).count: minimum is 2, was 1"),
        broken(
            "a new bound",
            at(ITEMS + "/properties/cap", o -> o.put("maxLength", 20)),
            "(v1).stages[].cap: maxLength is 20, was not said"),
        broken(
            "a shorter list",
            at("/properties/stages", o -> o.put("maxItems", 8)),
            "(v1).stages: maxItems is 8, was 16"),
        broken(
            "a tighter bound of a map's values",
            at("/properties/labels/additionalProperties", o -> o.put("maxLength", 40)),
            "(v1).labels{}: maxLength is 40, was 63"),
        broken(
            "a choice less",
            at("/properties/mode", o -> ((ArrayNode) o.get("enum")).remove(1)),
            "(v1).mode: enum is [\"Auto\"], was [\"Auto\",\"Never\"]"),
        broken(
            "choices where there were none",
            at("/properties/total", o -> o.putArray("enum").add("1s")),
            "(v1).total: enum is [\"1s\"], was not said"),
        broken(
            "another pattern",
            at("/properties/total", o -> o.put("pattern", "^1s$")),
            "(v1).total: pattern is \"^1s$\", was \"^[0-9]+s$\""),
        broken(
            "a field that is needed now",
            at("", o -> o.putArray("required").add("mode")),
            "(v1).mode: required is true, was not said"),
        broken(
            "a new field that is needed",
            at(
                ITEMS,
                o -> {
                  ((ArrayNode) o.get("required")).add("kind");
                  o.withObject("/properties/kind").put("type", "string");
                }),
            "(v1).stages[].kind: is new and required"),
        broken(
            "a new rule",
            at(
                "/properties/labels",
                o ->
                    o.putArray("x-kubernetes-validations")
                        .addObject()
                        .put("rule", "size(self) < 3")),
            "(v1).labels: rules is [\"size(self) < 3\"], was not said"),
        broken(
            "another rule",
            at(ITEMS + "/x-kubernetes-validations/0", o -> o.put("rule", "size(self.name) > 1")),
            "(v1).stages[]: rules is [\"size(self.name) > 1\"], was [\"has(self.name)\"]"),
        broken(
            "another way to merge",
            at("/properties/stages", o -> o.put("x-kubernetes-list-type", "map")),
            "(v1).stages: x-kubernetes-list-type is \"map\", was \"atomic\""),
        broken(
            "unknown fields are dropped now",
            at("/properties/open", o -> o.remove("x-kubernetes-preserve-unknown-fields")),
            "(v1).open: x-kubernetes-preserve-unknown-fields is not said, was true"),
        broken(
            "a version that is not served",
            crd -> ((ObjectNode) crd.at("/spec/versions/0")).put("served", false),
            "(v1): served is false, was true"),
        broken(
            "another short name",
            crd -> ((ArrayNode) crd.at("/spec/names/shortNames")).set(0, "rag"),
            "(crd): names is {\"kind\":\"RagJourney\",\"plural\":\"ragjourneys\",\"shortNames\":"
                + "[\"rag\"]}, was {\"kind\":\"RagJourney\",\"plural\":\"ragjourneys\",\"shortNames\":"
                + "[\"rj\"]}"));
  }

  private static final String ITEMS = "/properties/stages/items";

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void what_breaks_and_what_does_not(String name, Consumer<JsonNode> change, List<String> breaks)
      throws IOException {
    JsonNode changed = Yaml.MAPPER.readTree(SMALL);
    change.accept(changed);

    assertThat(
            CrdCompatibility.breaks(
                CrdFieldList.of(Yaml.MAPPER.readTree(SMALL)), CrdFieldList.of(changed)))
        .isEqualTo(breaks);
  }

  @Test
  void the_list_is_read_as_it_was_written() throws IOException {
    SortedMap<String, ObjectNode> fields = CrdFieldList.of(Yaml.MAPPER.readTree(SMALL));
    assertThat(CrdFieldList.read(CrdFieldList.write(fields))).isEqualTo(fields).hasSize(12);
  }

  private static Consumer<JsonNode> at(String pointer, Consumer<ObjectNode> change) {
    return crd ->
        change.accept((ObjectNode) crd.at("/spec/versions/0/schema/openAPIV3Schema" + pointer));
  }

  private static Arguments fine(String name, Consumer<JsonNode> change) {
    return Arguments.of(name + " is fine", change, List.of());
  }

  private static Arguments broken(String name, Consumer<JsonNode> change, String found) {
    return Arguments.of(name + " is a break", change, List.of(found));
  }
}
