package dev.ragjourney.operator.desired;

import dev.ragjourney.crd.parsed.ObjectKey;
import dev.ragjourney.crd.parsed.ParsedBackend;
import dev.ragjourney.crd.parsed.ParsedJourney;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The keys of Secrets and ConfigMaps that the backends need, as files: one folder an object, one
 * file a key.
 */
final class MountedKeys {
  /** No object's name may begin with an underscore, so that no Secret can meet a ConfigMap. */
  private static final String CONFIG_MAPS = "_configmaps/";

  /**
   * An object to mount.
   *
   * @param folder relative to the secrets directory
   */
  record Source(ObjectKey.Source kind, String name, String folder) implements Comparable<Source> {
    @Override
    public int compareTo(Source other) {
      return folder.compareTo(other.folder);
    }
  }

  private MountedKeys() {}

  /** The key's file, relative to the secrets directory. */
  static String file(ObjectKey key) {
    return source(key).folder() + "/" + key.key();
  }

  /** Every object with its keys, in an order that does not depend on the spec's. */
  static SortedMap<Source, SortedSet<String>> of(ParsedJourney journey) {
    SortedMap<Source, SortedSet<String>> sources = new TreeMap<>();
    for (ParsedBackend backend : journey.backends()) {
      keys(backend)
          .forEach(
              key -> sources.computeIfAbsent(source(key), s -> new TreeSet<>()).add(key.key()));
    }
    return sources;
  }

  private static Stream<ObjectKey> keys(ParsedBackend backend) {
    Stream<ObjectKey> headers =
        backend.headers().stream().flatMap(header -> Stream.ofNullable(header.secret()));
    return Stream.of(backend.secrets().values().stream(), headers, Stream.ofNullable(backend.ca()))
        .flatMap(stream -> stream);
  }

  private static Source source(ObjectKey key) {
    return switch (key.source()) {
      case SECRET -> new Source(key.source(), key.name(), key.name());
      case CONFIG_MAP -> new Source(key.source(), key.name(), CONFIG_MAPS + key.name());
    };
  }

  /** For digests: every file that the pod template provides. */
  static List<String> files(ParsedJourney journey) {
    return of(journey).entrySet().stream()
        .flatMap(entry -> entry.getValue().stream().map(key -> entry.getKey().folder() + "/" + key))
        .toList();
  }
}
