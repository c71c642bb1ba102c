package dev.ragjourney.support.kubernetes;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One watch: JSON lines until the client goes, the time is over or the server stops. */
final class WatchStream {
  private static final long POLL_MILLIS = 500;

  /** The client's plain-stream watch pads what it decodes when a character takes several bytes. */
  private static final ObjectMapper ASCII =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private final ObjectStore store;
  private final ApiHandler handler;
  private final ApiRequest request;
  private final boolean table;
  private final Predicate<JsonNode> selected;
  private final Supplier<WatchFault> fault;
  private final Map<ObjectKey, StoredEvent> sent = new HashMap<>();

  WatchStream(
      ObjectStore store,
      ApiHandler handler,
      ApiRequest request,
      boolean table,
      Supplier<WatchFault> fault) {
    this.store = store;
    this.handler = handler;
    this.request = request;
    this.table = table;
    this.selected = ApiHandler.selected(request);
    this.fault = fault;
  }

  /**
   * @param expired whether what the client knows is too old to go on from
   */
  void run(OutputStream out, BooleanSupplier open, BooleanSupplier expired) throws IOException {
    long since = start(out);
    String seconds = request.parameter("timeoutSeconds");
    Instant end =
        Instant.now().plusSeconds(seconds.isEmpty() ? 3600 : Math.max(1, Long.parseLong(seconds)));
    while (open.getAsBoolean() && Instant.now().isBefore(end)) {
      try {
        if (expired.getAsBoolean()) {
          throw new ApiFailure(410, "Expired", "too old resource version");
        }
        for (StoredEvent event : store.eventsAfter(since, POLL_MILLIS)) {
          since = event.version();
          if (fault.get() != WatchFault.LOST) {
            tell(out, event);
          }
        }
      } catch (ApiFailure tooOld) {
        line(out, "ERROR", tooOld.status());
        return;
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return;
      }
      out.flush();
    }
  }

  /**
   * Where the watch begins; without a version, or asked for them, the present objects come first.
   */
  private long start(OutputStream out) throws IOException {
    String version = request.parameter("resourceVersion");
    boolean initial = request.parameter("sendInitialEvents").equals("true");
    if (!version.isEmpty() && !version.equals("0") && !initial) {
      return Long.parseLong(version);
    }
    ObjectNode list = handler.list(request);
    for (JsonNode item : list.get("items")) {
      line(out, "ADDED", item);
    }
    long since = list.path("metadata").path("resourceVersion").asLong();
    if (initial) {
      ObjectNode bookmark = JsonNodeFactory.instance.objectNode();
      bookmark.put("kind", request.type().kind()).put("apiVersion", request.type().apiVersion());
      ObjectNode metadata = bookmark.putObject("metadata");
      metadata.put("resourceVersion", Long.toString(since));
      metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
      line(out, "BOOKMARK", bookmark);
    }
    out.flush();
    return since;
  }

  private void tell(OutputStream out, StoredEvent event) throws IOException, InterruptedException {
    if (event.key().type().equals(request.type())) {
      out.flush();
      Thread.sleep(fault.get().delay(request.type())); // the behaviour under test
    }
    send(out, event);
    if (fault.get() == WatchFault.STALE) {
      StoredEvent before = sent.put(event.key(), event);
      if (before != null && before.after() != null && event.after() != null) {
        send(out, before);
      }
      if (event.after() != null) {
        send(out, event);
      }
    }
  }

  private void send(OutputStream out, StoredEvent event) throws IOException {
    ObjectKey key = event.key();
    boolean ours =
        key.type().equals(request.type())
            && (request.namespace().isEmpty() || request.namespace().equals(key.namespace()));
    if (!ours) {
      return;
    }
    boolean was = shown(event.before());
    boolean is = shown(event.after());
    if (was || is) {
      line(out, is ? was ? "MODIFIED" : "ADDED" : "DELETED", event.last());
    }
  }

  private boolean shown(@Nullable ObjectNode object) {
    return object != null && selected.test(object);
  }

  private void line(OutputStream out, String type, JsonNode object) throws IOException {
    boolean printed =
        table && (type.equals("ADDED") || type.equals("MODIFIED") || type.equals("DELETED"));
    ObjectNode line = JsonNodeFactory.instance.objectNode().put("type", type);
    line.set("object", printed ? Tables.of(request.type(), object, Instant.now()) : object);
    out.write((ASCII.writeValueAsString(line) + "\n").getBytes(StandardCharsets.US_ASCII));
  }
}
