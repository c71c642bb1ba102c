package dev.ragjourney.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.rebalance.JourneyId;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What was written is known before the watches tell it, and no longer than that")
class RecentWritesTest {
  private static final JourneyId FAQ = new JourneyId("shop", "faq");

  private long now;
  private final RecentWrites recent = new RecentWrites(() -> now);

  @Test
  void an_object_that_no_watch_knows_yet_is_there() {
    Service written = service("a", 7);
    recent.wrote(FAQ, written);
    assertThat(newest(null)).isSameAs(written);
    assertThat(recent.newest(new JourneyId("shop", "other"), Service.class, "faq", null)).isNull();
  }

  @Test
  void the_newer_one_counts() {
    Service written = service("a", 7);
    recent.wrote(FAQ, written);
    assertThat(newest(service("a", 6))).isSameAs(written);
    Service later = service("a", 8);
    assertThat(newest(later)).isSameAs(later);
    assertThat(newest(null)).as("once a watch has caught up it alone counts").isNull();
  }

  @Test
  void an_object_of_the_same_name_that_came_after_it_counts_whatever_its_version() {
    recent.wrote(FAQ, service("a", 7));
    Service another = service("b", 3);
    assertThat(newest(another)).isSameAs(another);
  }

  @Test
  void what_a_watch_missed_to_contradict_is_asked_for_after_a_while() {
    recent.wrote(FAQ, service("a", 7));
    now = RecentWrites.KEPT.toNanos();
    assertThat(newest(null)).isNotNull();
    now++;
    assertThat(newest(null)).isNull();
  }

  @Test
  void a_deletion_ends_it() {
    recent.wrote(FAQ, service("a", 7));
    recent.deleted(service("a", 7));
    assertThat(newest(null)).isNull();
  }

  @Test
  void a_watch_that_tells_the_very_version_tells_nothing_new_and_is_believed_from_then_on() {
    recent.wrote(FAQ, service("a", 7));
    assertThat(recent.told(service("a", 6))).as("an older one").isFalse();
    assertThat(newest(null)).isNotNull();
    assertThat(recent.told(service("a", 7))).isTrue();
    assertThat(newest(null)).as("nothing is kept that a watch knows").isNull();

    recent.wrote(FAQ, service("a", 8));
    assertThat(recent.told(service("a", 9))).as("somebody else's").isFalse();
    assertThat(newest(null)).isNull();

    recent.wrote(FAQ, service("a", 10));
    recent.forget(FAQ);
    assertThat(recent.told(service("a", 10))).isFalse();
  }

  @Test
  void of_several_objects_each_is_the_newest() {
    ConfigMap known = map("faq-plan-1", 3);
    ConfigMap changed = map("faq-plan-1", 5);
    ConfigMap created = map("faq-plan-2", 6);
    ConfigMap untouched = map("faq-plan-0", 2);
    recent.wrote(FAQ, changed);
    recent.wrote(FAQ, created);
    recent.wrote(FAQ, service("a", 9));
    assertThat(recent.newest(FAQ, ConfigMap.class, List.of(untouched, known)))
        .containsExactlyInAnyOrder(untouched, changed, created);
  }

  private Service newest(Service watched) {
    return recent.newest(FAQ, Service.class, "faq", watched);
  }

  private static Service service(String uid, int version) {
    return new ServiceBuilder()
        .withNewMetadata()
        .withName("faq")
        .withNamespace("shop")
        .withUid(uid)
        .withResourceVersion(Integer.toString(version))
        .addToLabels(Labels.JOURNEY, "faq")
        .endMetadata()
        .build();
  }

  private static ConfigMap map(String name, int version) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("shop")
        .withUid(name)
        .withResourceVersion(Integer.toString(version))
        .addToLabels(Labels.JOURNEY, "faq")
        .endMetadata()
        .build();
  }
}
