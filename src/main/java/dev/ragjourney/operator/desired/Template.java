package dev.ragjourney.operator.desired;

import dev.ragjourney.crd.Reading;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.operator.observe.Journey;
import dev.ragjourney.operator.observe.LiveTemplate;
import dev.ragjourney.operator.observe.Turn;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a journey's pods run and which plan they read.
 *
 * @param planMap the plan's ConfigMap
 * @param held the pods that are there stay as they are, with the image and the plan that they have
 */
public record Template(String image, String planMap, boolean held) {
  /**
   * @param journey its name
   * @param live null for no pods yet
   */
  public static Template of(
      String journey,
      ParsedJourney parsed,
      String defaultImage,
      Turn turn,
      @Nullable Deployment live) {
    if (turn instanceof Turn.Waits && live != null) {
      Optional<String> image = LiveTemplate.image(live);
      Optional<String> planMap = LiveTemplate.planMap(live);
      if (image.isPresent() && planMap.isPresent()) {
        return new Template(image.get(), planMap.get(), true);
      }
    }
    return new Template(
        PlanObjects.image(parsed, defaultImage),
        PlanObjects.name(journey, parsed, defaultImage),
        false);
  }

  /**
   * The digest of the pod template that this operator makes of the spec; empty for a spec whose
   * pods are left as they are.
   */
  public static Optional<String> wanted(Journey journey, String defaultImage) {
    if (!(journey.reading() instanceof Reading.Valid(ParsedJourney parsed))) {
      return Optional.empty();
    }
    String name = journey.id().name();
    Template template = of(name, parsed, defaultImage, Turn.NOW, null);
    try {
      return LiveTemplate.digest(
          PodTemplate.of(name, parsed, template.planMap(), template.image()).getMetadata());
    } catch (InvalidOverlayException e) {
      return Optional.empty();
    }
  }
}
