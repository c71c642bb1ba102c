package dev.ragjourney.crd.parsed;

/**
 * One key of an object in the journey's namespace.
 *
 * @param source what kind of object it is
 * @param name the object's name
 * @param key the key within it
 */
public record ObjectKey(Source source, String name, String key) {
  /** Kinds of objects that hold keys. */
  public enum Source {
    SECRET,
    CONFIG_MAP
  }
}
