package dev.ragjourney.operator;

import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.rebalance.JourneyId;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Objects as the API server answered this operator's writes, until the watches have caught up: else
 * the reconcile that a first event starts asks for all those whose events are still under way.
 * Bounded in time, since a watch that missed the deletion of an object would never contradict.
 */
final class RecentWrites {
  static final Duration KEPT = Duration.ofSeconds(10);

  private record Key(String kind, String name) {
    static Key of(HasMetadata object) {
      return new Key(object.getKind(), object.getMetadata().getName());
    }
  }

  /**
   * @param at monotonic nanoseconds
   */
  private record Written(HasMetadata object, long at) {}

  private final LongSupplier nanos;
  private final Map<JourneyId, Map<Key, Written>> written = new ConcurrentHashMap<>();

  /**
   * @param nanos a monotonic clock
   */
  RecentWrites(LongSupplier nanos) {
    this.nanos = nanos;
  }

  void wrote(JourneyId id, HasMetadata result) {
    written
        .computeIfAbsent(id, key -> new ConcurrentHashMap<>())
        .put(Key.of(result), new Written(result, nanos.getAsLong()));
  }

  /**
   * A watch tells of an object that is there now.
   *
   * @return whether this operator knows it so, as the answer to its own write
   */
  boolean told(HasMetadata object) {
    Map<Key, Written> own = ofJourney(object);
    Key key = Key.of(object);
    Written last = own.get(key);
    if (last == null || !ResourceVersions.caughtUp(object, last.object())) {
      return false;
    }
    own.remove(key, last);
    return last.object()
        .getMetadata()
        .getResourceVersion()
        .equals(object.getMetadata().getResourceVersion());
  }

  /** By whomever. */
  void deleted(HasMetadata object) {
    ofJourney(object).remove(Key.of(object));
  }

  private Map<Key, Written> ofJourney(HasMetadata object) {
    Map<String, String> labels = object.getMetadata().getLabels();
    String journey = labels == null ? null : labels.get(Labels.JOURNEY);
    Map<Key, Written> own =
        journey == null
            ? null
            : written.get(new JourneyId(object.getMetadata().getNamespace(), journey));
    return own == null ? new HashMap<>() : own;
  }

  void forget(JourneyId id) {
    written.remove(id);
  }

  /**
   * The object of the journey as it is known newest.
   *
   * @param watched as a watch knows it; null for not at all
   */
  <T extends HasMetadata> @Nullable T newest(
      JourneyId id, Class<T> type, String name, @Nullable T watched) {
    Map<Key, Written> own = written.get(id);
    Key key = new Key(HasMetadata.getKind(type), name);
    Written last = own == null ? null : own.get(key);
    if (own == null || last == null) {
      return watched;
    }
    boolean old = nanos.getAsLong() - last.at() > KEPT.toNanos();
    if (old || (watched != null && ResourceVersions.caughtUp(watched, last.object()))) {
      own.remove(key, last);
      return watched;
    }
    return type.cast(last.object());
  }

  /** The same for all objects of a kind. */
  <T extends HasMetadata> List<T> newest(JourneyId id, Class<T> type, List<T> watched) {
    Map<Key, Written> own = written.get(id);
    if (own == null || own.isEmpty()) {
      return watched;
    }
    Map<String, T> byName = new HashMap<>();
    watched.forEach(each -> byName.put(each.getMetadata().getName(), each));
    String kind = HasMetadata.getKind(type);
    return Stream.concat(
            byName.keySet().stream(),
            own.keySet().stream().filter(key -> key.kind().equals(kind)).map(Key::name))
        .distinct()
        .flatMap(name -> Stream.ofNullable(newest(id, type, name, byName.get(name))))
        .toList();
  }
}
