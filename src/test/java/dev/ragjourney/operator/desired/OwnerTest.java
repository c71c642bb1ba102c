package dev.ragjourney.operator.desired;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.rebalance.JourneyId;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnerTest {
  @ParameterizedTest(name = "an object of {0} with controller {1} is ours: {2}")
  @CsvSource({"uid-1, true, true", "uid-1, false, false", "uid-2, true, false", "'', false, false"})
  void only_what_was_made_for_this_very_resource_is_ours(
      String uid, boolean controller, boolean ours) {
    ConfigMapBuilder map = new ConfigMapBuilder().withNewMetadata().withName("m").endMetadata();
    ConfigMap object =
        uid.isEmpty()
            ? map.build()
            : map.editMetadata()
                .addNewOwnerReference()
                .withKind("RagJourney")
                .withName("faq")
                .withUid(uid)
                .withController(controller)
                .endOwnerReference()
                .endMetadata()
                .build();

    assertThat(new Owner(new JourneyId("shop", "faq"), "uid-1").owns(object)).isEqualTo(ours);
  }
}
