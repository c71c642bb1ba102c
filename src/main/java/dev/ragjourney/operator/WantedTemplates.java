package dev.ragjourney.operator;

import dev.ragjourney.operator.desired.Template;
import dev.ragjourney.operator.observe.Journey;
import dev.ragjourney.operator.observe.JourneyReader;
import dev.ragjourney.operator.observe.RawJourney;
import dev.ragjourney.rebalance.JourneyId;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The pod template that this operator makes of each spec, as a digest. One generation has one, so
 * that it is made once: a look at the fleet needs those of all.
 */
final class WantedTemplates {
  private record Known(long generation, @Nullable String digest) {}

  private final String defaultImage;
  private final Map<JourneyId, Known> known = new ConcurrentHashMap<>();

  WantedTemplates(String defaultImage) {
    this.defaultImage = defaultImage;
  }

  /** Empty for a spec whose pods are left as they are. */
  Optional<String> of(Journey journey) {
    return find(journey.id(), journey.generation())
        .or(
            () -> {
              String digest = Template.wanted(journey, defaultImage).orElse(null);
              Known made = new Known(journey.generation(), digest);
              known.put(journey.id(), made);
              return Optional.of(made);
            })
        .map(Known::digest);
  }

  Optional<String> of(RawJourney raw) {
    long generation = Objects.requireNonNullElse(raw.getMetadata().getGeneration(), 0L);
    Optional<Known> found = find(raw.id(), generation);
    return found.isPresent() ? found.map(Known::digest) : of(JourneyReader.read(raw));
  }

  void forget(JourneyId id) {
    known.remove(id);
  }

  private Optional<Known> find(JourneyId id, long generation) {
    return Optional.ofNullable(known.get(id)).filter(each -> each.generation() == generation);
  }
}
