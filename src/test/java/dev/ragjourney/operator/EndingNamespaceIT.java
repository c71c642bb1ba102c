package dev.ragjourney.operator;

import static dev.ragjourney.operator.OperatorHarness.MINIMAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.support.kubernetes.RequestLog;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A namespace that is being deleted takes nothing new, and nobody is left to be told. */
class EndingNamespaceIT {
  private final OperatorHarness operator = new OperatorHarness().start();

  @AfterEach
  void stop() {
    operator.close();
  }

  @Test
  void after_the_first_refusal_no_event_is_tried_any_more() {
    operator.apply(MINIMAL);
    operator.ready("faq");
    operator.quiet();
    endNamespace();
    operator.server.requests().clear();

    operator.client.services().inNamespace("default").withName("faq").delete();
    await().atMost(Duration.ofSeconds(20)).until(() -> !refused("Service").isEmpty());
    operator.apply(MINIMAL.replace("3s", "1.5s"));
    operator.awaitCondition("faq", "Ready", "False/InvalidSpec");
    operator.quiet();

    assertThat(operator.server.requests().matching(e -> e.kind().equals("Event"))).isEmpty();
  }

  /** As while its contents are being deleted. */
  private void endNamespace() {
    var namespace = operator.client.namespaces().withName("default");
    namespace.edit(
        found ->
            new NamespaceBuilder(found)
                .editMetadata()
                .addToFinalizers("example.com/contents")
                .endMetadata()
                .build());
    namespace.delete();
    assertThat(namespace.get().getMetadata().getDeletionTimestamp()).isNotNull();
  }

  private List<RequestLog.Entry> refused(String kind) {
    return operator.server.requests().matching(e -> e.kind().equals(kind) && e.code() == 403);
  }
}
