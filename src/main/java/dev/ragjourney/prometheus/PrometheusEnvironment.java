package dev.ragjourney.prometheus;

import dev.ragjourney.budget.Durations;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where Prometheus is and how to ask it, as the environment says. */
public final class PrometheusEnvironment {
  public static final String URL = "RAGJOURNEY_PROMETHEUS_URL";
  public static final String TOKEN_FILE = "RAGJOURNEY_PROMETHEUS_TOKEN_FILE";
  public static final String USERNAME_FILE = "RAGJOURNEY_PROMETHEUS_USERNAME_FILE";
  public static final String PASSWORD_FILE = "RAGJOURNEY_PROMETHEUS_PASSWORD_FILE";
  public static final String CA_FILE = "RAGJOURNEY_PROMETHEUS_CA_FILE";

  /** One a line, like {@code cluster="eu"}. */
  public static final String MATCHERS = "RAGJOURNEY_PROMETHEUS_MATCHERS";

  /** Of one query; a duration. */
  public static final String TIMEOUT = "RAGJOURNEY_PROMETHEUS_TIMEOUT";

  /** Of one answer, in MiB; a whole number. */
  public static final String MAX_RESPONSE = "RAGJOURNEY_PROMETHEUS_MAX_RESPONSE_MIB";

  private static final String WHOLE_NUMBER = "[1-9][0-9]{0,4}";

  private PrometheusEnvironment() {}

  /**
   * Null where no server is named.
   *
   * @throws IllegalArgumentException naming the variable, the value found and what would be right
   */
  public static @Nullable PrometheusSettings read(Map<String, String> environment) {
    String url = text(environment, URL);
    if (url.isEmpty()) {
      return null;
    }
    String user = text(environment, USERNAME_FILE);
    String password = text(environment, PASSWORD_FILE);
    if (user.isEmpty() != password.isEmpty()) {
      throw new IllegalArgumentException(
          USERNAME_FILE + " and " + PASSWORD_FILE + " are needed both, or none of them.");
    }
    PrometheusSettings server =
        named(URL, url, text -> PrometheusSettings.of(URI.create(text)))
            .withCaFile(file(text(environment, CA_FILE)))
            .withBearerTokenFile(file(text(environment, TOKEN_FILE)));
    PrometheusSettings known = named(USERNAME_FILE, user, text -> basic(server, text, password));
    PrometheusSettings matched =
        named(MATCHERS, text(environment, MATCHERS), text -> known.withExtraMatchers(lines(text)));
    PrometheusSettings timed =
        named(
            TIMEOUT,
            text(environment, TIMEOUT),
            text -> text.isEmpty() ? matched : matched.withTimeout(Durations.parsePositive(text)));
    return named(MAX_RESPONSE, text(environment, MAX_RESPONSE), text -> bounded(timed, text));
  }

  private static PrometheusSettings bounded(PrometheusSettings settings, String mebibytes) {
    if (mebibytes.isEmpty()) {
      return settings;
    }
    if (!mebibytes.matches(WHOLE_NUMBER)) {
      throw new IllegalArgumentException(
          "'" + mebibytes + "' is no size; a whole number from 1 to 99999 is needed.");
    }
    return settings.withMaxResponseBytes(Long.parseLong(mebibytes) << 20);
  }

  private static PrometheusSettings basic(PrometheusSettings server, String user, String password) {
    return user.isEmpty()
        ? server
        : server.withBasicAuth(new PrometheusSettings.BasicAuth(Path.of(user), Path.of(password)));
  }

  private static List<String> lines(String text) {
    return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }

  private interface FromText {
    PrometheusSettings of(String text);
  }

  /** What is wrong with a value is told with the variable's name. */
  private static PrometheusSettings named(String name, String text, FromText settings) {
    try {
      return settings.of(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }

  private static @Nullable Path file(String path) {
    return path.isEmpty() ? null : Path.of(path);
  }

  private static String text(Map<String, String> environment, String name) {
    return environment.getOrDefault(name, "").strip();
  }
}
