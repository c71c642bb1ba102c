package dev.ragjourney.operator.desired;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.operator.Journeys;
import dev.ragjourney.operator.observe.Extras;
import dev.ragjourney.operator.observe.OptionalKind;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DesiredExtrasTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<OptionalKind> ALL = Set.of(OptionalKind.values());

  @Test
  void every_journey_has_a_disruption_budget_that_does_not_keep_broken_pods() {
    PodDisruptionBudget budget =
        Journeys.find(Journeys.minimal().objects(), PodDisruptionBudget.class);

    assertThat(budget.getSpec().getMaxUnavailable().getIntVal()).isEqualTo(1);
    assertThat(budget.getSpec().getUnhealthyPodEvictionPolicy()).isEqualTo("AlwaysAllow");
    assertThat(budget.getSpec().getSelector().getMatchLabels())
        .containsEntry("ragjourney.dev/journey", "faq");
    assertThat(
            Journeys.find(
                    with("workload: {disruption: {maxUnavailable: 3}}").objects(),
                    PodDisruptionBudget.class)
                .getSpec()
                .getMaxUnavailable()
                .getIntVal())
        .isEqualTo(3);
  }

  @Test
  void an_autoscaler_looks_at_the_pipelines_own_cpu_and_owns_the_number_of_pods() {
    Journeys journey = with("workload: {autoscaling: {maxReplicas: 9, targetCPU: 60%}}");
    HorizontalPodAutoscaler autoscaler =
        Journeys.find(journey.objects(), HorizontalPodAutoscaler.class);

    assertThat(autoscaler.getSpec().getMinReplicas()).isEqualTo(2);
    assertThat(autoscaler.getSpec().getMaxReplicas()).isEqualTo(9);
    assertThat(autoscaler.getSpec().getMetrics().getFirst().getContainerResource())
        .satisfies(
            metric -> {
              assertThat(metric.getContainer()).isEqualTo("pipeline");
              assertThat(metric.getTarget().getAverageUtilization()).isEqualTo(60);
            });
    assertThat(replicas(journey)).as("a new Deployment begins with the fewest").isEqualTo(2);
    assertThat(replicas(journey.rolledOut())).as("then the autoscaler decides").isNull();
    assertThat(replicas(Journeys.minimal().rolledOut())).isEqualTo(2);
  }

  @Test
  void a_managed_network_policy_lets_in_questions_and_the_admin_port_only() {
    NetworkPolicy policy =
        Journeys.find(with("workload: {networkPolicy: Managed}").objects(), NetworkPolicy.class);

    assertThat(policy.getSpec().getPolicyTypes()).containsExactly("Ingress");
    assertThat(policy.getSpec().getIngress().getFirst().getPorts())
        .extracting(port -> port.getPort().getStrVal())
        .containsExactly("http", "admin");
    assertThat(kinds(Journeys.minimal())).doesNotContain("NetworkPolicy");
  }

  @Test
  void monitors_are_made_where_the_cluster_has_their_kinds_unless_the_journey_says_otherwise() {
    assertThat(kinds(Journeys.minimal())).doesNotContain("PodMonitor", "PrometheusRule");
    assertThat(kinds(Journeys.minimal().extras(there(ALL))))
        .contains("PodMonitor", "PrometheusRule");
    assertThat(kinds(with("monitoring: {podMonitor: Never, rules: Never}").extras(there(ALL))))
        .doesNotContain("PodMonitor", "PrometheusRule");
    assertThat(kinds(with("monitoring: {podMonitor: Always}"))).contains("PodMonitor");
  }

  @Test
  void a_monitor_that_somebody_else_made_under_the_journeys_name_is_left_to_them() {
    Extras taken = new Extras(List.of(), ALL, Set.of(OptionalKind.POD_MONITOR));

    assertThat(kinds(Journeys.minimal().extras(taken)))
        .contains("PrometheusRule")
        .doesNotContain("PodMonitor");
  }

  @Test
  void a_pod_monitor_scrapes_four_times_in_an_interval_and_carries_the_users_labels() {
    JsonNode often =
        json(
            with("rebalance: {interval: 20s}\nmonitoring: {labels: {release: kps}}")
                .extras(there(ALL)),
            "PodMonitor");
    JsonNode endpoint = often.at("/spec/podMetricsEndpoints/0");

    assertThat(endpoint.path("interval").asText()).isEqualTo("5s");
    assertThat(endpoint.path("port").asText()).isEqualTo("admin");
    assertThat(endpoint.at("/metricRelabelings/0/regex").asText()).isEqualTo("exported_namespace");
    assertThat(often.at("/metadata/labels/release").asText()).isEqualTo("kps");
    assertThat(often.at("/metadata/labels").path("ragjourney.dev/journey").asText())
        .isEqualTo("faq");
    assertThat(
            json(Journeys.minimal().extras(there(ALL)), "PodMonitor")
                .at("/spec/podMetricsEndpoints/0/interval")
                .asText())
        .isEqualTo("30s");
  }

  @Test
  void alerts_have_the_journeys_own_thresholds() {
    JsonNode rules =
        json(
            with("objective: {missRatio: 0.5%, degradedRatio: 20%}").extras(there(ALL)),
            "PrometheusRule");

    assertThat(rules.at("/spec/groups/0/rules"))
        .extracting(rule -> rule.path("alert").asText())
        .containsExactly(
            "RagJourneyMissesAnswers", "RagJourneyDegraded", "RagJourneyPlanNotDelivered");
    assertThat(rules.at("/spec/groups/0/rules/0/expr").asText())
        .contains("namespace=\"shop\",journey=\"faq\"", " > 0.005 and ");
    assertThat(rules.at("/spec/groups/0/rules/1/expr").asText()).contains(" > 0.2 and ");
  }

  @Test
  void what_is_no_longer_asked_for_goes_and_an_autoscaler_goes_first() {
    Journeys all =
        with("workload: {autoscaling: {maxReplicas: 4}, networkPolicy: Managed}")
            .extras(there(ALL));
    Extras made =
        new Extras(
            all.objects().apply().stream()
                .filter(o -> !Set.of("ConfigMap", "Service").contains(o.getKind()))
                .filter(o -> !Set.of("Deployment", "ServiceAccount").contains(o.getKind()))
                .toList(),
            ALL,
            Set.of());

    Desired.Objects now = with("monitoring: {rules: Never}").extras(made).objects();

    assertThat(now.retire())
        .extracting(HasMetadata::getKind)
        .containsExactly("HorizontalPodAutoscaler");
    assertThat(now.prune())
        .extracting(HasMetadata::getKind)
        .containsExactlyInAnyOrder("NetworkPolicy", "PrometheusRule");
  }

  @Test
  void the_own_service_account_goes_when_pods_use_another_one_and_not_before() {
    String other = "workload: {serviceAccount: {name: theirs}}";
    Journeys made = Journeys.minimal().rolledOut();

    assertThat(made.spec(Journeys.MINIMAL + other).objects().prune())
        .extracting(HasMetadata::getKind)
        .containsExactly("ServiceAccount");
  }

  private static Extras there(Set<OptionalKind> kinds) {
    return new Extras(List.of(), kinds, Set.of());
  }

  private static Journeys with(String fields) {
    return Journeys.minimal().spec(Journeys.MINIMAL + fields + "\n");
  }

  private static Integer replicas(Journeys journey) {
    return Journeys.find(journey.objects(), Deployment.class).getSpec().getReplicas();
  }

  private static List<String> kinds(Journeys journey) {
    return journey.objects().apply().stream().map(HasMetadata::getKind).toList();
  }

  private static JsonNode json(Journeys journey, String kind) {
    return journey.objects().apply().stream()
        .filter(object -> object.getKind().equals(kind))
        .findFirst()
        .<JsonNode>map(JSON::valueToTree)
        .orElseThrow();
  }
}
