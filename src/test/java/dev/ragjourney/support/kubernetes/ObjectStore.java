package dev.ragjourney.support.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The objects, one resource version for all of them, and the changes of the recent past. Every
 * write goes through here: versions, generations, uids, finalizers and garbage collection by owner
 * reference are kept in one place.
 */
final class ObjectStore {
  private static final int REMEMBERED_EVENTS = 20_000;

  private record Stored(ObjectNode object, FieldOwners owners) {}

  private final Map<ResourceType, TreeMap<String, Stored>> objects = new HashMap<>();
  private final Deque<StoredEvent> events = new ArrayDeque<>();
  private long version = 1;

  /** What a write makes of the object that is there; null in means absent, null out means keep. */
  interface Change {
    @Nullable ObjectNode apply(@Nullable ObjectNode current, FieldOwners owners);
  }

  synchronized long version() {
    return version;
  }

  synchronized @Nullable ObjectNode find(ObjectKey key) {
    Stored stored = kind(key.type()).get(place(key));
    return stored == null ? null : stored.object().deepCopy();
  }

  synchronized List<ObjectNode> list(ResourceType type, String namespace) {
    List<ObjectNode> found = new ArrayList<>();
    kind(type)
        .forEach(
            (place, stored) -> {
              if (namespace.isEmpty() || place.startsWith(namespace + "/")) {
                found.add(stored.object().deepCopy());
              }
            });
    return found;
  }

  /** Writes what {@code change} makes of the object; an equal object keeps its version. */
  synchronized ObjectNode write(ObjectKey key, Change change) {
    Stored stored = kind(key.type()).get(place(key));
    ObjectNode before = stored == null ? null : stored.object();
    FieldOwners owners = stored == null ? new FieldOwners() : stored.owners();
    ObjectNode after = change.apply(before == null ? null : before.deepCopy(), owners);
    if (after == null) {
      return before == null ? absent(key) : before.deepCopy();
    }
    requireVersion(key, before, after);
    ObjectNode complete = completed(key, before, after, owners);
    if (before != null && sameButVersion(before, complete)) {
      return before.deepCopy();
    }
    if (before == null && !key.namespace().isEmpty() && terminating(key.namespace())) {
      throw ApiFailure.namespaceTerminating(key.namespace());
    }
    commit(key, before, complete, owners);
    boolean finalized =
        complete.path("metadata").has("deletionTimestamp")
            && complete.path("metadata").path("finalizers").isEmpty();
    if (finalized || orphaned(complete)) {
      remove(key);
    }
    return complete.deepCopy();
  }

  /** Deletes at once, or marks an object that has finalizers; dependants follow. */
  synchronized ObjectNode delete(ObjectKey key) {
    Stored stored = kind(key.type()).get(place(key));
    if (stored == null) {
      throw ApiFailure.notFound(key.type(), key.name());
    }
    if (!stored.object().path("metadata").path("finalizers").isEmpty()) {
      return write(
          key,
          (current, owners) -> {
            ObjectNode metadata = (ObjectNode) Objects.requireNonNull(current).get("metadata");
            if (!metadata.has("deletionTimestamp")) {
              metadata.put("deletionTimestamp", now());
            }
            return current;
          });
    }
    return remove(key);
  }

  private ObjectNode remove(ObjectKey key) {
    Stored stored = Objects.requireNonNull(kind(key.type()).remove(place(key)));
    version++;
    ObjectNode last = stored.object().deepCopy();
    ((ObjectNode) last.get("metadata")).put("resourceVersion", Long.toString(version));
    remember(new StoredEvent(version, key, stored.object(), null, last));
    dependants(key, last.path("metadata").path("uid").asText())
        .forEach(
            dependant -> {
              if (find(dependant) != null) {
                delete(dependant);
              }
            });
    return last;
  }

  private List<ObjectKey> dependants(ObjectKey owner, String uid) {
    List<ObjectKey> found = new ArrayList<>();
    objects.forEach(
        (type, all) ->
            all.values()
                .forEach(
                    stored -> {
                      JsonNode metadata = stored.object().path("metadata");
                      String namespace = metadata.path("namespace").asText();
                      boolean inside =
                          owner.type().kind().equals("Namespace") && namespace.equals(owner.name());
                      boolean owned =
                          ownerUids(stored.object()).contains(uid) && orphaned(stored.object());
                      if (inside || owned) {
                        found.add(new ObjectKey(type, namespace, metadata.path("name").asText()));
                      }
                    }));
    return found;
  }

  /** Whether the object has owners and none of them exists any more. */
  private boolean orphaned(ObjectNode object) {
    Set<String> owners = ownerUids(object);
    return !owners.isEmpty()
        && objects.values().stream()
            .flatMap(all -> all.values().stream())
            .noneMatch(s -> owners.contains(s.object().path("metadata").path("uid").asText()));
  }

  private static Set<String> ownerUids(ObjectNode object) {
    Set<String> uids = new HashSet<>();
    object
        .path("metadata")
        .path("ownerReferences")
        .forEach(owner -> uids.add(owner.path("uid").asText()));
    return uids;
  }

  private boolean terminating(String namespace) {
    return objects.entrySet().stream()
        .filter(e -> e.getKey().kind().equals("Namespace"))
        .map(e -> e.getValue().get("/" + namespace))
        .anyMatch(s -> s != null && s.object().path("metadata").has("deletionTimestamp"));
  }

  private void commit(
      ObjectKey key, @Nullable ObjectNode before, ObjectNode complete, FieldOwners owners) {
    version++;
    ((ObjectNode) complete.get("metadata")).put("resourceVersion", Long.toString(version));
    kind(key.type()).put(place(key), new Stored(complete, owners));
    remember(new StoredEvent(version, key, before, complete, complete));
  }

  private void remember(StoredEvent event) {
    events.add(event);
    if (events.size() > REMEMBERED_EVENTS) {
      events.remove();
    }
    notifyAll();
  }

  /**
   * The changes after {@code since}, waiting up to {@code millis} for the first.
   *
   * @throws ApiFailure 410 when that past is forgotten
   */
  synchronized List<StoredEvent> eventsAfter(long since, long millis) throws InterruptedException {
    if (version <= since) {
      wait(millis);
    }
    if (since < version - events.size()
        && !events.isEmpty()
        && since + 1 < events.getFirst().version()) {
      throw new ApiFailure(410, "Expired", "too old resource version: " + since);
    }
    List<StoredEvent> newer = new ArrayList<>();
    var latest = events.descendingIterator();
    while (latest.hasNext()) {
      StoredEvent event = latest.next();
      if (event.version() <= since) {
        break;
      }
      newer.addFirst(event);
    }
    return newer;
  }

  private static void requireVersion(ObjectKey key, @Nullable ObjectNode before, ObjectNode after) {
    String expected = after.path("metadata").path("resourceVersion").asText();
    String present = before == null ? "" : before.path("metadata").path("resourceVersion").asText();
    if (!expected.isEmpty() && !expected.equals(present)) {
      throw ApiFailure.conflict(
          "Operation cannot be fulfilled on %s \"%s\": the object has been modified; please apply your changes to the latest version and try again"
              .formatted(key.type().plural(), key.name()));
    }
  }

  private static ObjectNode completed(
      ObjectKey key, @Nullable ObjectNode before, ObjectNode after, FieldOwners owners) {
    ObjectNode metadata = after.withObject("/metadata");
    after.put("apiVersion", key.type().apiVersion()).put("kind", key.type().kind());
    metadata.put("name", key.name());
    if (!key.namespace().isEmpty()) {
      metadata.put("namespace", key.namespace());
    }
    JsonNode old = before == null ? null : before.get("metadata");
    metadata.put("uid", old == null ? UUID.randomUUID().toString() : old.path("uid").asText());
    metadata.put("creationTimestamp", old == null ? now() : old.path("creationTimestamp").asText());
    metadata.put("resourceVersion", old == null ? "" : old.path("resourceVersion").asText());
    long generation = old == null ? 1 : old.path("generation").asLong();
    if (before != null && !before.path("spec").equals(after.path("spec"))) {
      generation++;
    }
    if (after.has("spec")) {
      metadata.put("generation", generation);
    }
    metadata.set("managedFields", owners.managedFields(key.type().apiVersion()));
    return after;
  }

  private static boolean sameButVersion(ObjectNode before, ObjectNode after) {
    UnaryOperator<ObjectNode> bare =
        object -> {
          ObjectNode copy = object.deepCopy();
          ((ObjectNode) copy.get("metadata")).remove("managedFields");
          return copy;
        };
    return bare.apply(before).equals(bare.apply(after));
  }

  private TreeMap<String, Stored> kind(ResourceType type) {
    return objects.computeIfAbsent(type, t -> new TreeMap<>());
  }

  private static String place(ObjectKey key) {
    return key.namespace() + "/" + key.name();
  }

  private static ObjectNode absent(ObjectKey key) {
    throw ApiFailure.notFound(key.type(), key.name());
  }

  static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
