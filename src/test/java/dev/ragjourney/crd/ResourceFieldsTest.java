package dev.ragjourney.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ResourceFieldsTest {
  @Test
  void the_records_and_the_crd_have_the_same_fields() throws IOException {
    assertThat(ResourceFields.known()).hasSizeGreaterThan(250);
    assertThat(ResourceFields.missing(openApi())).isEmpty();
  }

  @Test
  void a_field_that_an_older_crd_lacks_is_missing() throws IOException {
    JsonNode served = openApi();
    remove(served, "spec", "hedge", "items", "stages");
    remove(served, "status", "rungs");

    assertThat(ResourceFields.missing(served)).containsExactly("spec.stages.hedge", "status.rungs");
  }

  @Test
  void fields_of_a_newer_crd_and_other_kinds_do_not_matter() throws IOException {
    ObjectNode served = (ObjectNode) openApi();
    ((ObjectNode) served.at("/components/schemas/dev.ragjourney.v1alpha1.RagJourney/properties"))
        .withObject("/spec/properties/later")
        .put("type", "string");
    served.withObject("/components/schemas").putObject("io.k8s.Status").put("type", "object");

    assertThat(ResourceFields.missing(served)).isEmpty();
  }

  @Test
  void a_server_that_does_not_tell_lacks_nothing() throws IOException {
    assertThat(ResourceFields.missing(Yaml.MAPPER.readTree("{components: {schemas: {}}}")))
        .isEmpty();
  }

  @Test
  void missing_fields_are_taken_out_in_lists_too() throws IOException {
    JsonNode status =
        Yaml.MAPPER.readTree(
            "{endpoint: x, stages: [{name: a, p95: 1s}, {name: b}], plan: {revision: 3}}");

    ResourceFields.remove("status", status, Set.of("status.stages.p95", "status.plan"));

    assertThat(status)
        .isEqualTo(Yaml.MAPPER.readTree("{endpoint: x, stages: [{name: a}, {name: b}]}"));
  }

  /** As a server publishes what is in the file. */
  private static JsonNode openApi() throws IOException {
    ObjectNode document = Yaml.MAPPER.createObjectNode();
    document
        .withObject("/components/schemas")
        .set(
            "dev.ragjourney.v1alpha1.RagJourney",
            Yaml.MAPPER.readTree(Crd.FILE.toFile()).at("/spec/versions/0/schema/openAPIV3Schema"));
    return document;
  }

  private static void remove(JsonNode served, String part, String field, String... within) {
    JsonNode at =
        served.at("/components/schemas/dev.ragjourney.v1alpha1.RagJourney/properties/" + part);
    for (int i = within.length - 1; i >= 0; i--) {
      at = within[i].equals("items") ? at.path("items") : at.path("properties").path(within[i]);
    }
    assertThat(((ObjectNode) at.path("properties")).remove(field)).isNotNull();
  }
}
