package dev.ragjourney.support.kubernetes;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** Every request that arrived, for tests that count writes. */
public final class RequestLog {
  /**
   * One request.
   *
   * @param kind empty for discovery
   * @param manager the field manager it named; empty for none
   * @param contentType of its body
   * @param changed whether the stored object changed
   */
  public record Entry(
      String method,
      String kind,
      String namespace,
      String name,
      String subresource,
      String manager,
      String contentType,
      int code,
      boolean changed) {
    public boolean write() {
      return !method.equals("GET");
    }
  }

  private final List<Entry> entries = new CopyOnWriteArrayList<>();

  void add(Entry entry) {
    entries.add(entry);
  }

  public List<Entry> writes() {
    return entries.stream().filter(Entry::write).toList();
  }

  public List<Entry> matching(Predicate<Entry> wanted) {
    return entries.stream().filter(wanted).toList();
  }

  public void clear() {
    entries.clear();
  }
}
