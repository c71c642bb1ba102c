package dev.ragjourney.rebalance;

/** A journey's namespace and name. */
public record JourneyId(String namespace, String name) {
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
