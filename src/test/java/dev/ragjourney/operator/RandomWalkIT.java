package dev.ragjourney.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.crd.SpecTable;
import dev.ragjourney.operator.desired.Desired;
import dev.ragjourney.operator.desired.DesiredState;
import dev.ragjourney.operator.desired.Drift;
import dev.ragjourney.operator.observe.RawJourney;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A long random walk through specs, valid and invalid. After a valid step the live objects are
 * those of a fresh install of the same spec; an invalid step changes none of them and says why.
 */
class RandomWalkIT {
  private static final int STEPS = Integer.getInteger("ragjourney.walk.steps", 300);
  private static final long SEED = 6;

  /** Sections that a step takes from another spec than the rest. */
  private static final List<String> SECTIONS =
      List.of("workload", "monitoring", "rebalance", "objective", "drill", "semanticCache");

  private final OperatorHarness operator = new OperatorHarness().start();
  private final Random random = new Random(SEED);
  private final List<JsonNode> valid = SpecTable.valid().stream().map(Journeys::yaml).toList();
  private final List<JsonNode> invalid = SpecTable.invalid().stream().map(Journeys::yaml).toList();

  @AfterEach
  void stop() {
    operator.close();
  }

  @Test
  void three_hundred_changes_of_the_spec_leave_what_a_fresh_install_would_have() {
    operator.apply(OperatorHarness.MINIMAL);
    operator.ready("faq");
    Map<Boolean, Integer> steps = new HashMap<>();
    for (int step = 0; step < STEPS; step++) {
      JsonNode spec = next();
      if (!spec.equals(operator.journey("faq").getSpec())) {
        boolean taken = take(step, spec);
        steps.merge(taken, 1, Integer::sum);
      }
    }
    assertThat(steps.get(true)).as("valid steps").isGreaterThan(STEPS / 3);
    assertThat(steps.get(false)).as("invalid steps").isGreaterThan(STEPS / 10);
  }

  private JsonNode next() {
    if (random.nextInt(4) == 0) {
      return invalid.get(random.nextInt(invalid.size()));
    }
    ObjectNode spec = valid.get(random.nextInt(valid.size())).deepCopy();
    for (String section : SECTIONS) {
      if (random.nextInt(3) == 0) {
        JsonNode other = valid.get(random.nextInt(valid.size())).get(section);
        if (other == null) {
          spec.remove(section);
        } else {
          spec.set(section, other);
        }
      }
    }
    return spec;
  }

  private boolean take(int step, JsonNode spec) {
    List<HasMetadata> before = LiveObjects.of(operator.client, "default");
    write(spec);
    RawJourney journey = operator.journey("faq");
    Desired fresh = fresh(journey, operator.node.deployment("faq"));
    String what = "step %d (seed %d): %s".formatted(step, SEED, spec);
    if (fresh instanceof Desired.Objects objects) {
      await(what)
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(() -> assertSameAsFresh(what, objects));
      return true;
    }
    await(what)
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> {
              assertThat(operator.status("faq").path("observedGeneration").asLong())
                  .as(what)
                  .isEqualTo(journey.getMetadata().getGeneration());
              assertThat(operator.condition("faq", "Ready").path("status").asText())
                  .as(what)
                  .isEqualTo("False");
            });
    assertThat(operator.condition("faq", "Ready").path("message").asText()).as(what).isNotBlank();
    assertThat(operator.contents()).as(what).isEqualTo(LiveObjects.contents(before));
    return false;
  }

  /** As a tool that owns the spec and applies all of it. */
  private void write(JsonNode spec) {
    RawJourney journey = new RawJourney();
    journey.setMetadata(new ObjectMetaBuilder().withName("faq").withNamespace("default").build());
    journey.setSpec(spec);
    operator.client.resource(journey).fieldManager("user").forceConflicts().serverSideApply();
  }

  /**
   * What an operator that has never seen the journey would make of it.
   *
   * @param there only the number of pods is looked at, which an autoscaler may own
   */
  private static Desired fresh(RawJourney journey, Deployment there) {
    RawJourney raw = new RawJourney();
    raw.setMetadata(
        new ObjectMetaBuilder()
            .withName("faq")
            .withNamespace("default")
            .withUid(journey.getMetadata().getUid())
            .withGeneration(journey.getMetadata().getGeneration())
            .build());
    raw.setSpec(journey.getSpec());
    return DesiredState.of(
        Journeys.minimal().raw(raw).image("ragjourney:test").deployment(there).seen());
  }

  private void assertSameAsFresh(String what, Desired.Objects fresh) {
    Deployment deployment = operator.node.deployment("faq");
    if (deployment != null && !DesiredState.rolledOut(deployment)) {
      operator.node.rollOut("faq");
    }
    List<HasMetadata> live = LiveObjects.of(operator.client, "default");
    List<String> names = new ArrayList<>();
    live.forEach(object -> names.add(name(object)));
    assertThat(names)
        .as(what)
        .containsExactlyInAnyOrderElementsOf(
            fresh.apply().stream().map(RandomWalkIT::name).filter(n -> !monitor(n)).toList());
    for (HasMetadata wanted : fresh.apply()) {
      if (!wanted.getKind().equals("ConfigMap") && !monitor(name(wanted))) {
        HasMetadata there =
            live.stream().filter(o -> name(o).equals(name(wanted))).findFirst().orElseThrow();
        assertThat(Drift.of(wanted, there))
            .as(what + " " + name(wanted))
            .isInstanceOf(Drift.Finding.AsApplied.class);
      }
    }
    assertThat(operator.node.plan("faq"))
        .as(what)
        .usingRecursiveComparison()
        .ignoringFields("revision", "generation")
        .isEqualTo(fresh.plan());
  }

  private static boolean monitor(String name) {
    return name.startsWith("PodMonitor") || name.startsWith("PrometheusRule");
  }

  private static String name(HasMetadata object) {
    return object.getKind() + " " + object.getMetadata().getName();
  }
}
