package dev.ragjourney.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the operator may do, whatever the values are. */
class ChartRightsTest {
  private static final Set<String> CLUSTER_WIDE =
      Set.of(
          "ClusterRole",
          "ClusterRoleBinding",
          "CustomResourceDefinition",
          "ValidatingAdmissionPolicy",
          "ValidatingAdmissionPolicyBinding",
          "Namespace");

  @ParameterizedTest(name = "with {0} no rule has a star and none is of Secrets")
  @ValueSource(
      strings = {
        "{}",
        "{replicas: 3, announcePlans: false}",
        "{watchNamespaces: [shop, help]}",
        "{leaderElection: {enabled: false}}"
      })
  void no_rule_has_a_star_and_none_is_of_secrets(String values) {
    List<JsonNode> rules = rules(HelmChart.render(values));

    assertThat(rules).hasSizeGreaterThan(8);
    assertThat(rules)
        .allSatisfy(
            rule -> {
              assertThat(rule.toString()).doesNotContain("*");
              assertThat(rule.path("resources")).isNotEmpty();
              assertThat(rule.path("resources").toString()).doesNotContain("secrets");
            });
  }

  @Test
  void with_namespaces_named_there_is_a_role_in_each_and_nothing_cluster_wide() {
    List<JsonNode> objects =
        HelmChart.render("{crds: {enabled: false}, watchNamespaces: [shop, help]}");

    assertThat(objects)
        .extracting(object -> object.path("kind").asText())
        .doesNotContainAnyElementsOf(CLUSTER_WIDE);
    assertThat(HelmChart.ofKind(objects, "Role"))
        .extracting(role -> role.at("/metadata/namespace").asText())
        .containsExactlyInAnyOrder("shop", "help", HelmChart.NAMESPACE);
    assertThat(HelmChart.ofKind(objects, "RoleBinding"))
        .allSatisfy(
            binding ->
                assertThat(binding.at("/subjects/0/namespace").asText())
                    .isEqualTo(HelmChart.NAMESPACE));
    assertThat(environment(objects)).contains("RAGJOURNEY_NAMESPACES=shop,help");
  }

  @Test
  void roles_and_the_cluster_role_give_the_same() {
    Set<String> inAll = new TreeSet<>();
    rules(HelmChart.render("{rbac: {aggregate: false}}")).forEach(r -> inAll.add(r.toString()));
    Set<String> inOne = new TreeSet<>();
    rules(HelmChart.render("{watchNamespaces: [shop]}")).forEach(r -> inOne.add(r.toString()));

    assertThat(inOne).isEqualTo(inAll);
  }

  @Test
  void without_announcements_pods_are_not_patched_and_the_operator_knows() {
    List<JsonNode> objects = HelmChart.render("{announcePlans: false}");

    assertThat(rules(objects))
        .filteredOn(rule -> rule.path("resources").toString().contains("\"pods\""))
        .singleElement()
        .satisfies(rule -> assertThat(rule.path("verbs").toString()).doesNotContain("patch"));
    assertThat(environment(objects)).contains("RAGJOURNEY_ANNOUNCE_PLANS=false");
  }

  @Test
  void the_spec_of_a_journey_is_never_the_operators_to_write() {
    assertThat(rules(HelmChart.render("{rbac: {aggregate: false}}")))
        .filteredOn(rule -> rule.path("resources").toString().equals("[\"ragjourneys\"]"))
        .singleElement()
        .satisfies(
            rule -> assertThat(rule.path("verbs").toString()).isEqualTo("[\"list\",\"watch\"]"));
  }

  @Test
  void somebody_elses_rights_are_left_to_them() {
    List<JsonNode> objects =
        HelmChart.render("{rbac: {create: false}, serviceAccount: {create: false, name: theirs}}");

    assertThat(objects)
        .extracting(object -> object.path("kind").asText())
        .doesNotContain("ClusterRole", "Role", "RoleBinding", "ServiceAccount");
    assertThat(
            HelmChart.only(objects, "Deployment")
                .at("/spec/template/spec/serviceAccountName")
                .asText())
        .isEqualTo("theirs");
  }

  private static List<JsonNode> rules(List<JsonNode> objects) {
    List<JsonNode> rules = new ArrayList<>();
    for (JsonNode object : objects) {
      object.path("rules").forEach(rules::add);
    }
    return rules;
  }

  private static List<String> environment(List<JsonNode> objects) {
    List<String> environment = new ArrayList<>();
    HelmChart.only(objects, "Deployment")
        .at("/spec/template/spec/containers/0/env")
        .forEach(
            each ->
                environment.add(each.path("name").asText() + "=" + each.path("value").asText()));
    return environment;
  }
}
