package dev.ragjourney.support.scripted;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the server has seen. Keeps the latest exchanges and counts all of them. */
final class Ledger {
  /** Enough for every test; bounded because a pod of the demo runs for days. */
  private static final int KEPT = 50_000;

  private final List<Exchange> exchanges = new ArrayList<>();
  private final Map<String, Long> requests = new TreeMap<>();
  private long connectionsOpened;
  private long connectionsOpen;

  synchronized void add(Exchange exchange) {
    if (exchanges.size() == KEPT) {
      exchanges.subList(0, KEPT / 2).clear();
    }
    exchanges.add(exchange);
    requests.merge(exchange.path(), 1L, Long::sum);
  }

  synchronized long connectionOpened() {
    connectionsOpen++;
    return ++connectionsOpened;
  }

  synchronized void connectionClosed() {
    connectionsOpen--;
  }

  synchronized List<Exchange> exchanges() {
    return List.copyOf(exchanges);
  }

  synchronized Map<String, Long> requests() {
    return Map.copyOf(requests);
  }

  synchronized long connectionsOpened() {
    return connectionsOpened;
  }

  synchronized long connectionsOpen() {
    return connectionsOpen;
  }

  synchronized void clear() {
    exchanges.clear();
    requests.clear();
  }
}
