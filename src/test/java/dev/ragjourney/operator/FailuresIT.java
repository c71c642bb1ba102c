package dev.ragjourney.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the client makes of an API server's refusals, and what the operator reads from that. */
class FailuresIT {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/shop/configmaps";

  private final KubernetesMockServer server = new KubernetesMockServer(false);
  private KubernetesClient client;

  @BeforeEach
  void start() {
    server.init();
    client = server.createClient();
  }

  @AfterEach
  void stop() {
    client.close();
    server.destroy();
  }

  @Test
  void a_write_that_somebody_else_overtook_is_a_conflict() {
    KubernetesClientException refused = refused(409, status(409, "Conflict", "was modified"));
    assertThat(Failures.conflict(refused)).isTrue();
    assertThat(Failures.notFound(refused)).isFalse();
    assertThat(Failures.namespaceTerminating(refused)).isFalse();
    assertThat(Failures.message(refused)).isEqualTo("was modified");
  }

  @Test
  void a_namespace_that_goes_away_is_told_by_its_cause_not_by_its_code() {
    Status terminating =
        new StatusBuilder(status(403, "Forbidden", "namespace shop is being terminated"))
            .withNewDetails()
            .addNewCause()
            .withReason("NamespaceTerminating")
            .endCause()
            .endDetails()
            .build();
    assertThat(Failures.namespaceTerminating(refused(403, terminating))).isTrue();
    assertThat(Failures.namespaceTerminating(refused(403, status(403, "Forbidden", "no right"))))
        .isFalse();
  }

  @Test
  void a_server_without_words_still_gives_a_message() {
    KubernetesClientException refused = refused(500, null);
    assertThat(Failures.conflict(refused)).isFalse();
    assertThat(Failures.message(refused)).isNotBlank();
  }

  private KubernetesClientException refused(int code, Status body) {
    server.expect().post().withPath(CONFIG_MAPS).andReturn(code, body).once();
    ConfigMap map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName("faq")
            .withNamespace("shop")
            .endMetadata()
            .build();
    return catchThrowableOfType(
        KubernetesClientException.class, () -> client.resource(map).create());
  }

  private static Status status(int code, String reason, String message) {
    return new StatusBuilder()
        .withCode(code)
        .withReason(reason)
        .withMessage(message)
        .withStatus("Failure")
        .build();
  }
}
