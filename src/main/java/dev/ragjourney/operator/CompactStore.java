package dev.ragjourney.operator;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * What a watch holds, trimmed, as deflated JSON: object trees take many times as much. Each read
 * parses; reads are rare, since almost all objects are only held.
 */
final class CompactStore<T extends HasMetadata> implements ItemStore<T> {
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private final Class<T> type;
  private final KubernetesSerialization serialization;
  private final Map<String, byte[]> items = new ConcurrentHashMap<>();

  CompactStore(Class<T> type, KubernetesSerialization serialization) {
    this.type = type;
    this.serialization = serialization;
  }

  @Override
  public String getKey(T item) {
    return Cache.metaNamespaceKeyFunc(item);
  }

  @Override
  public @Nullable T put(String key, T item) {
    ObjectNode tree = serialization.convertValue(item, ObjectNode.class);
    Trimmed.trim(tree);
    ByteArrayOutputStream stored = new ByteArrayOutputStream();
    try (OutputStream json = new DeflaterOutputStream(stored)) {
      JSON.writeValue(json, tree);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return parsed(items.put(key, stored.toByteArray()));
  }

  @Override
  public @Nullable T remove(String key) {
    return parsed(items.remove(key));
  }

  @Override
  public Stream<String> keySet() {
    return items.keySet().stream();
  }

  @Override
  public Stream<T> values() {
    return items.values().stream().map(this::parsed).filter(Objects::nonNull);
  }

  @Override
  public int size() {
    return items.size();
  }

  @Override
  public @Nullable T get(String key) {
    return parsed(items.get(key));
  }

  @Override
  public boolean isFullState() {
    return false;
  }

  private @Nullable T parsed(byte @Nullable [] stored) {
    if (stored == null) {
      return null;
    }
    try (InputStream json = new InflaterInputStream(new ByteArrayInputStream(stored))) {
      return serialization.unmarshal(json, type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
