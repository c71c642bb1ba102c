package dev.ragjourney.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.operator.observe.LiveTemplate;
import dev.ragjourney.operator.observe.RawJourney;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What the watches hold is all that is read, and little else")
class CompactStoreTest {
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

  private static final String DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: faq
        namespace: shop
        uid: u
        resourceVersion: "7"
        annotations: {ragjourney.dev/applied: x, kubectl.kubernetes.io/last-applied-configuration: "{}"}
        managedFields:
        - {manager: ragjourney-operator, operation: Apply, fieldsType: FieldsV1,
           fieldsV1: {"f:spec": {"f:replicas": {}, "f:template": {}}, "f:metadata": {}}}
        - {manager: kube-controller-manager, operation: Update, fieldsType: FieldsV1,
           fieldsV1: {"f:status": {"f:replicas": {}}}}
      spec:
        replicas: 2
        template: {spec: {containers: [{name: pipeline, image: "a:1", resources: {limits: {cpu: "1"}}}]}}
      status: {readyReplicas: 2}
      """;

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: faq-1, namespace: shop, uid: p, labels: {ragjourney.dev/journey: faq}}
      spec:
        nodeName: node1
        containers:
        - name: pipeline
          image: a:1
          env: [{name: A, value: b}]
          ports: [{name: admin, containerPort: 8081}]
        volumes:
        - {name: plan, configMap: {name: faq-plan-1}}
        - {name: tmp, emptyDir: {}}
      status:
        phase: Running
        podIP: 10.0.0.7
        hostIP: 10.0.0.1
        conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-01-01T00:00:00Z"}]
        containerStatuses:
        - {name: pipeline, image: "a:1", imageID: i, ready: false, restartCount: 0,
           state: {waiting: {reason: ErrImagePull}}}
      """;

  @Test
  void a_deployment_is_whole_but_for_its_field_owners_of_whom_the_number_of_pods_is_kept() {
    Deployment deployment = SERIALIZATION.unmarshal(DEPLOYMENT, Deployment.class);
    Deployment held = held(Deployment.class, deployment);
    assertThat(held.getSpec()).isEqualTo(deployment.getSpec());
    assertThat(held.getStatus()).isEqualTo(deployment.getStatus());
    assertThat(held.getMetadata().getAnnotations()).containsOnlyKeys("ragjourney.dev/applied");
    assertThat(held.getMetadata().getManagedFields()).hasSize(1);
    assertThat(FieldOwners.owns(held, Writer.MANAGER, "spec", "replicas")).isTrue();
    assertThat(FieldOwners.owns(held, Writer.MANAGER, "spec", "template")).isFalse();
  }

  @Test
  void nobody_owns_the_number_of_pods_who_did_not_declare_it() {
    Deployment deployment =
        SERIALIZATION.unmarshal(DEPLOYMENT.replace("\"f:replicas\": {}, ", ""), Deployment.class);
    assertThat(held(Deployment.class, deployment).getMetadata().getManagedFields()).isEmpty();
  }

  @Test
  void a_pod_has_the_same_facts_and_the_same_reason_to_be_stuck() {
    Pod pod = SERIALIZATION.unmarshal(POD, Pod.class);
    Pod held = held(Pod.class, pod);
    assertThat(ObservationGatherer.facts(held)).isEqualTo(ObservationGatherer.facts(pod));
    assertThat(ObservationGatherer.facts(held).adminUrl()).isEqualTo("http://10.0.0.7:8081");
    assertThat(ObservationGatherer.facts(held).configMaps()).containsExactly("faq-plan-1");
    assertThat(LiveTemplate.stuck(held))
        .isEqualTo(LiveTemplate.stuck(pod))
        .contains("its image cannot be had");
    assertThat(held.getSpec().getNodeName()).isNull();
    assertThat(held.getSpec().getContainers().getFirst().getEnv()).isEmpty();
  }

  @Test
  void a_journey_keeps_what_nobody_knows() {
    RawJourney journey =
        SERIALIZATION.unmarshal(
            """
            apiVersion: ragjourney.dev/v1alpha1
            kind: RagJourney
            metadata: {name: faq, namespace: shop, generation: 3}
            spec: {budget: {total: 3s}, ofTheFuture: [1, {a: null}]}
            status: {observedGeneration: 2}
            """,
            RawJourney.class);
    RawJourney held = held(RawJourney.class, journey);
    assertThat(held.getSpec()).isEqualTo(journey.getSpec());
    assertThat(held.getStatus()).isEqualTo(journey.getStatus());
    assertThat(held.getMetadata().getGeneration()).isEqualTo(3);
  }

  @Test
  void it_is_a_store() {
    CompactStore<Pod> store = new CompactStore<>(Pod.class, SERIALIZATION);
    Pod pod = SERIALIZATION.unmarshal(POD, Pod.class);
    String key = store.getKey(pod);
    assertThat(key).isEqualTo("shop/faq-1");
    assertThat(store.put(key, pod)).isNull();
    assertThat(store.put(key, pod)).as("the one before").isNotNull();
    assertThat(store.keySet()).containsExactly(key);
    assertThat(store.values()).hasSize(1);
    assertThat(store.size()).isEqualTo(1);
    assertThat(store.remove(key)).isNotNull();
    assertThat(store.get(key)).isNull();
    assertThat(store.size()).isZero();
  }

  private static <T extends io.fabric8.kubernetes.api.model.HasMetadata> T held(
      Class<T> type, T object) {
    CompactStore<T> store = new CompactStore<>(type, SERIALIZATION);
    store.put("key", object);
    return store.get("key");
  }
}
