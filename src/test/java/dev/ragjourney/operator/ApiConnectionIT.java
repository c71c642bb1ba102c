package dev.ragjourney.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ragjourney.support.kubernetes.EmbeddedApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.Test;

class ApiConnectionIT {
  private static final ConfigMap ANY =
      new ConfigMapBuilder().withNewMetadata().withName("any").endMetadata().build();

  @Test
  void a_refused_request_is_not_sent_again() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient client =
            new KubernetesClientBuilder()
                .withConfig(ApiConnection.bounded(server.config()))
                .build()) {
      server.takeOperatorWrites(0);

      assertThatThrownBy(
              () ->
                  client
                      .resource(ANY)
                      .fieldManager("ragjourney-operator")
                      .forceConflicts()
                      .serverSideApply())
          .isInstanceOfSatisfying(
              KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(503));

      assertThat(server.requests().matching(entry -> entry.code() == 503)).hasSize(1);
    }
  }
}
