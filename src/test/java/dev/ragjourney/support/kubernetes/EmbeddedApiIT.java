package dev.ragjourney.support.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EmbeddedApiIT {
  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final KubernetesClient client = server.client();

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void an_apply_creates_and_the_same_apply_again_changes_nothing() {
    ConfigMap first = apply("a", map("m", Map.of("k", "v")));
    ConfigMap second = apply("a", map("m", Map.of("k", "v")));

    assertThat(first.getMetadata().getUid()).isNotBlank();
    assertThat(second.getMetadata().getResourceVersion())
        .isEqualTo(first.getMetadata().getResourceVersion());
    assertThat(second.getMetadata().getManagedFields().getFirst().getManager()).isEqualTo("a");
    assertThat(server.requests().writes())
        .extracting(RequestLog.Entry::changed)
        .containsExactly(true, false);
  }

  @Test
  void a_field_that_its_manager_no_longer_applies_disappears_and_others_stay() {
    apply("a", map("m", Map.of("mine", "1", "shared", "1")));
    apply("b", map("m", Map.of("theirs", "1", "shared", "1")));

    ConfigMap after = apply("a", map("m", Map.of("new", "1")));

    assertThat(after.getData()).containsOnlyKeys("new", "theirs", "shared");
  }

  @Test
  void an_element_that_its_manager_no_longer_applies_leaves_nothing_of_itself() {
    client.resource(withVariables("first", "second")).serverSideApply();
    Deployment after = client.resource(withVariables("second")).serverSideApply();

    assertThat(after.getSpec().getTemplate().getSpec().getContainers().getFirst().getEnv())
        .extracting(variable -> variable.getName() + "=" + variable.getValue())
        .containsExactly("second=of second");
  }

  private static Deployment withVariables(String... names) {
    return new DeploymentBuilder(deployment(1))
        .editSpec()
        .withNewTemplate()
        .withNewSpec()
        .addNewContainer()
        .withName("c")
        .withEnv(Arrays.stream(names).map(name -> new EnvVar(name, "of " + name, null)).toList())
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  @Test
  void anothers_field_is_a_conflict_unless_forced() {
    apply("a", map("m", Map.of("k", "1")));
    ConfigMap other = map("m", Map.of("k", "2"));

    assertThatThrownBy(
            () ->
                client
                    .resource(other)
                    .patch(
                        new PatchContext.Builder()
                            .withPatchType(PatchType.SERVER_SIDE_APPLY)
                            .withFieldManager("b")
                            .build()))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("conflict with \"a\"");
    assertThat(apply("b", other).getData()).containsEntry("k", "2");
  }

  @Test
  void an_apply_on_an_outdated_version_is_a_conflict() {
    ConfigMap first = apply("a", map("m", Map.of("k", "1")));
    apply("a", map("m", Map.of("k", "2")));
    ConfigMap stale = map("m", Map.of("k", "3"));
    stale.getMetadata().setResourceVersion(first.getMetadata().getResourceVersion());

    assertThatThrownBy(() -> apply("a", stale))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(409));
  }

  @Test
  void status_and_spec_are_written_apart_and_only_spec_raises_the_generation() {
    Deployment created = client.resource(deployment(1)).create();
    Deployment withStatus = client.resource(deployment(9)).editStatus(d -> ready(d, 1));
    Deployment scaled =
        client.apps().deployments().withName("d").edit(d -> ready(replicas(d, 2), 7));

    assertThat(created.getMetadata().getGeneration()).isEqualTo(1);
    assertThat(withStatus.getSpec().getReplicas()).isEqualTo(1);
    assertThat(withStatus.getMetadata().getGeneration()).isEqualTo(1);
    assertThat(scaled.getMetadata().getGeneration()).isEqualTo(2);
    assertThat(scaled.getStatus().getReadyReplicas()).isEqualTo(1);
  }

  @Test
  void children_vanish_with_their_owner() {
    ConfigMap owner = apply("a", map("owner", Map.of()));
    ConfigMap child = map("child", Map.of());
    child
        .getMetadata()
        .setOwnerReferences(
            List.of(
                new OwnerReferenceBuilder()
                    .withApiVersion("v1")
                    .withKind("ConfigMap")
                    .withName("owner")
                    .withUid(owner.getMetadata().getUid())
                    .build()));
    apply("a", child);

    client.resource(owner).delete();

    assertThat(client.configMaps().inNamespace("default").list().getItems()).isEmpty();
    apply("a", child);
    assertThat(client.configMaps().inNamespace("default").list().getItems()).isEmpty();
  }

  @Test
  void a_watch_with_a_selector_tells_of_objects_that_come_change_and_leave_it() {
    List<String> seen = new CopyOnWriteArrayList<>();
    try (var _ =
        client
            .configMaps()
            .withLabel("watched", "yes")
            .watch(
                new Watcher<>() {
                  @Override
                  public void eventReceived(Action action, ConfigMap map) {
                    seen.add(action + " " + map.getMetadata().getName());
                  }

                  @Override
                  public void onClose(WatcherException cause) {
                    seen.add("closed");
                  }
                })) {
      apply("a", map("plain", Map.of()));
      ConfigMap labelled = map("m", Map.of());
      labelled.getMetadata().setLabels(Map.of("watched", "yes"));
      apply("a", labelled);
      labelled.setData(Map.of("k", "v"));
      apply("a", labelled);
      apply("a", map("m", Map.of("k", "v")));

      await().until(() -> seen.size() >= 3);
      assertThat(seen).containsExactly("ADDED m", "MODIFIED m", "DELETED m");
    }
  }

  @Test
  void nothing_new_is_created_in_a_namespace_that_is_going_away() {
    server.createNamespace("leaving");
    client
        .namespaces()
        .withName("leaving")
        .edit(
            n -> {
              n.getMetadata().setFinalizers(List.of("test/hold"));
              return n;
            });
    client.namespaces().withName("leaving").delete();
    ConfigMap late = map("late", Map.of());
    late.getMetadata().setNamespace("leaving");

    assertThatThrownBy(() -> apply("a", late))
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            e ->
                assertThat(e.getStatus().getDetails().getCauses().getFirst().getReason())
                    .isEqualTo("NamespaceTerminating"));
  }

  private ConfigMap apply(String manager, ConfigMap map) {
    return client.resource(map).fieldManager(manager).forceConflicts().serverSideApply();
  }

  private static ConfigMap map(String name, Map<String, String> data) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("default")
        .endMetadata()
        .withData(data)
        .build();
  }

  private static Deployment deployment(int replicas) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName("d")
        .withNamespace("default")
        .endMetadata()
        .withNewSpec()
        .withReplicas(replicas)
        .endSpec()
        .build();
  }

  private static Deployment replicas(Deployment deployment, int replicas) {
    return new DeploymentBuilder(deployment).editSpec().withReplicas(replicas).endSpec().build();
  }

  private static Deployment ready(Deployment deployment, int ready) {
    return new DeploymentBuilder(deployment)
        .editOrNewStatus()
        .withReadyReplicas(ready)
        .endStatus()
        .build();
  }
}
