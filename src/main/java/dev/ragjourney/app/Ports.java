package dev.ragjourney.app;

import java.util.Map;

/** Ports as the environment names them. */
final class Ports {
  private static final int LAST = 65_535;

  private Ports() {}

  /**
   * @param otherwise where the variable is not set or empty
   * @throws IllegalArgumentException naming the variable, the value found and what would be right
   */
  static int read(Map<String, String> environment, String name, int otherwise) {
    String value = environment.getOrDefault(name, "").strip();
    if (value.isEmpty()) {
      return otherwise;
    }
    if (value.matches("\\d{1,5}") && Integer.parseInt(value) <= LAST) {
      return Integer.parseInt(value);
    }
    throw new IllegalArgumentException(
        "%s is '%s'; a whole number from 0 to %d is needed.".formatted(name, value, LAST));
  }
}
