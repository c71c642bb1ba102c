package dev.ragjourney.operator.desired;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.operator.Journeys;
import dev.ragjourney.operator.observe.Labels;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DesiredObjectsTest {
  private static final String REMOTE =
      """
      budget: {total: 5s}
      stages:
      - {name: search, type: Search, cap: 1s, backend: docs}
      - {name: generate, type: Generate, floor: 1s500ms, backend: llm}
      backends:
      - name: llm
        openai: {url: "https://llm.example/v1", model: m, apiKey: {secretKeyRef: {name: llm, key: token}}}
      - name: docs
        headers: [{name: x-key, valueFrom: {secretKeyRef: {name: docs, key: header}}}]
        tls: {ca: {secretKeyRef: {name: corporate, key: ca.crt}}}
        http: {url: "https://docs.example/search"}
      """;

  @Test
  void the_pods_keep_to_the_restricted_pod_security_standard() {
    PodSpec pod = pod(Journeys.minimal());
    Container container = pod.getContainers().getFirst();

    assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
    assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
    assertThat(pod.getHostNetwork()).isNull();
    assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
    assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
    assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
    assertThat(container.getSecurityContext().getPrivileged()).isNull();
    assertThat(pod.getVolumes())
        .allSatisfy(
            volume ->
                assertThat(
                        List.of(
                            volume.getConfigMap() != null,
                            volume.getSecret() != null,
                            volume.getEmptyDir() != null,
                            volume.getPersistentVolumeClaim() != null))
                    .containsOnlyOnce(true));
  }

  @Test
  void pods_get_no_token_and_only_tmp_is_writable() {
    PodSpec pod = pod(Journeys.minimal());

    assertThat(pod.getAutomountServiceAccountToken()).isFalse();
    assertThat(
            Journeys.find(Journeys.minimal().objects(), ServiceAccount.class)
                .getAutomountServiceAccountToken())
        .isFalse();
    assertThat(pod.getContainers().getFirst().getVolumeMounts())
        .filteredOn(mount -> !Boolean.TRUE.equals(mount.getReadOnly()))
        .extracting(VolumeMount::getMountPath)
        .containsExactly("/tmp");
  }

  @Test
  void of_a_secret_only_the_keys_that_a_backend_names_are_mounted_and_none_is_needed_to_start() {
    Journeys journey = Journeys.minimal().spec(REMOTE);
    List<Volume> volumes = pod(journey).getVolumes();

    assertThat(volumes)
        .filteredOn(volume -> volume.getSecret() != null)
        .allSatisfy(volume -> assertThat(volume.getSecret().getOptional()).isTrue())
        .extracting(
            volume ->
                volume.getSecret().getSecretName()
                    + "/"
                    + volume.getSecret().getItems().getFirst().getKey())
        .containsExactlyInAnyOrder("llm/token", "docs/header", "corporate/ca.crt");
    assertThat(pod(journey).getContainers().getFirst().getVolumeMounts())
        .extracting(VolumeMount::getMountPath)
        .contains(
            "/etc/ragjourney/secrets/llm",
            "/etc/ragjourney/secrets/docs",
            "/etc/ragjourney/secrets/corporate");
    assertThat(journey.objects().plan().backends())
        .anySatisfy(b -> assertThat(b.secrets()).containsEntry("apiKey", "llm/token"))
        .anySatisfy(
            b -> {
              assertThat(b.caFile()).isEqualTo("corporate/ca.crt");
              assertThat(b.headers().getFirst().secretFile()).isEqualTo("docs/header");
            });
  }

  @Test
  void documents_are_mounted_from_a_config_map_or_a_claim() {
    assertThat(pod(Journeys.minimal()).getVolumes())
        .filteredOn(volume -> volume.getName().equals("documents"))
        .singleElement()
        .satisfies(
            volume -> {
              assertThat(volume.getConfigMap().getName()).isEqualTo("faq-documents");
              assertThat(volume.getConfigMap().getOptional()).isTrue();
            });
    String claim = "budget: {total: 3s}\ndocuments: {persistentVolumeClaim: {claimName: corpus}}\n";
    assertThat(pod(Journeys.minimal().spec(claim)).getVolumes())
        .filteredOn(volume -> volume.getName().equals("documents"))
        .singleElement()
        .satisfies(
            volume -> {
              assertThat(volume.getPersistentVolumeClaim().getClaimName()).isEqualTo("corpus");
              assertThat(volume.getPersistentVolumeClaim().getReadOnly()).isTrue();
            });
  }

  @Test
  void a_rollout_takes_no_pod_away_and_lets_journeys_in_flight_end() {
    Deployment deployment = Journeys.find(Journeys.minimal().objects(), Deployment.class);

    var rolling = deployment.getSpec().getStrategy().getRollingUpdate();
    assertThat(rolling.getMaxUnavailable().getIntVal()).isZero();
    assertThat(rolling.getMaxSurge().getIntVal()).isEqualTo(1);
    assertThat(deployment.getSpec().getTemplate().getSpec().getTerminationGracePeriodSeconds())
        .as("3 s + 5 min of stream + 10 s")
        .isEqualTo(313);
  }

  @Test
  void the_grace_period_has_an_end_however_long_a_stream_may_be() {
    String spec = "budget: {total: 3s, streamMax: 2h}\ndocuments: {configMap: {name: d}}\n";

    assertThat(pod(Journeys.minimal().spec(spec)).getTerminationGracePeriodSeconds())
        .isEqualTo(900);
  }

  @Test
  void the_service_leads_port_80_to_the_pods_of_this_journey() {
    Service service = Journeys.find(Journeys.minimal().objects(), Service.class);

    assertThat(service.getSpec().getPorts().getFirst().getPort()).isEqualTo(80);
    assertThat(service.getSpec().getPorts().getFirst().getTargetPort().getStrVal())
        .isEqualTo("http");
    Map<String, String> podLabels =
        Journeys.find(Journeys.minimal().objects(), Deployment.class)
            .getSpec()
            .getTemplate()
            .getMetadata()
            .getLabels();
    assertThat(podLabels).containsAllEntriesOf(service.getSpec().getSelector());
    assertThat(service.getSpec().getSelector()).containsEntry(Labels.JOURNEY, "faq");
  }

  @Test
  void what_the_workload_asks_for_is_in_the_template() {
    String spec =
        Journeys.MINIMAL
            + """
            workload:
              replicas: 3
              image: registry.example/rag:7
              imagePullSecrets: [{name: pull}]
              serviceAccount: {name: theirs}
              resources: {requests: {cpu: "2"}}
              podTemplate:
                labels: {team: search, ragjourney.dev/journey: forged}
                annotations: {note: x}
                nodeSelector: {disk: ssd}
                tolerations: [{key: gpu, operator: Exists}]
                env: [{name: LOG, value: debug}]
                priorityClassName: high
            """;
    Desired.Objects objects = Journeys.minimal().spec(spec).objects();
    Deployment deployment = Journeys.find(objects, Deployment.class);
    PodSpec pod = deployment.getSpec().getTemplate().getSpec();

    assertThat(objects.apply()).noneMatch(ServiceAccount.class::isInstance);
    assertThat(deployment.getSpec().getReplicas()).isEqualTo(3);
    assertThat(pod.getServiceAccountName()).isEqualTo("theirs");
    assertThat(pod.getContainers().getFirst().getImage()).isEqualTo("registry.example/rag:7");
    assertThat(pod.getContainers().getFirst().getResources().getLimits()).isEmpty();
    assertThat(pod.getContainers().getFirst().getEnv()).anyMatch(e -> e.getName().equals("LOG"));
    assertThat(pod.getTolerations().getFirst().getKey()).isEqualTo("gpu");
    assertThat(pod.getNodeSelector()).containsEntry("disk", "ssd");
    assertThat(pod.getPriorityClassName()).isEqualTo("high");
    assertThat(deployment.getSpec().getTemplate().getMetadata().getLabels())
        .containsEntry("team", "search")
        .containsEntry(Labels.JOURNEY, "faq");
  }

  @Test
  void the_most_journeys_at_once_are_the_pods_to_know_where_they_are_declared() {
    String declared = Journeys.MINIMAL + "workload: {maxConcurrent: 12}\n";

    assertThat(pod(Journeys.minimal().spec(declared)).getContainers().getFirst().getEnv())
        .extracting(variable -> variable.getName() + "=" + variable.getValue())
        .contains("RAGJOURNEY_MAX_JOURNEYS=12");
    assertThat(pod(Journeys.minimal()).getContainers().getFirst().getEnv())
        .extracting(variable -> variable.getName())
        .doesNotContain("RAGJOURNEY_MAX_JOURNEYS");
  }

  @Test
  void an_addition_with_another_shape_than_in_a_pod_is_named() {
    String spec = Journeys.MINIMAL + "workload: {podTemplate: {tolerations: [{key: [a, list]}]}}\n";

    assertThat(Journeys.minimal().spec(spec).desired())
        .isInstanceOfSatisfying(
            Desired.AsItIs.class,
            stuck -> {
              assertThat(stuck.reason()).isEqualTo("InvalidSpec");
              assertThat(stuck.findings().getFirst().path())
                  .isEqualTo("spec.workload.podTemplate.tolerations[0]");
            });
  }

  private static PodSpec pod(Journeys journey) {
    return Journeys.find(journey.objects(), Deployment.class).getSpec().getTemplate().getSpec();
  }
}
