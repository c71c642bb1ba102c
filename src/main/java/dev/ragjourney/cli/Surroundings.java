package dev.ragjourney.cli;

import java.io.InputStream;
import java.time.InstantSource;
import java.util.Map;

/**
 * What a command finds around it.
 *
 * @param environment variables by name
 * @param in standard input
 * @param clock the time of day
 */
record Surroundings(Map<String, String> environment, InputStream in, InstantSource clock) {
  Surroundings {
    environment = Map.copyOf(environment);
  }

  static Surroundings real() {
    return new Surroundings(System.getenv(), System.in, InstantSource.system());
  }
}
