package dev.ragjourney.cli;

import dev.ragjourney.plan.MetricNames;
import dev.ragjourney.prometheus.PrometheusEnvironment;
import dev.ragjourney.prometheus.PrometheusSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where latencies come from. What is not given is the environment's, as for the operator. */
final class PrometheusOptions {
  @Option(
      names = "--prometheus",
      paramLabel = "URL",
      description = "like http://prometheus:9090; else $" + PrometheusEnvironment.URL)
  private @Nullable String url;

  @Option(
      names = "--prometheus-token-file",
      paramLabel = "FILE",
      description = "a bearer token; else $" + PrometheusEnvironment.TOKEN_FILE)
  private @Nullable String tokenFile;

  @Option(
      names = "--prometheus-username-file",
      paramLabel = "FILE",
      description = "basic authentication; else $" + PrometheusEnvironment.USERNAME_FILE)
  private @Nullable String usernameFile;

  @Option(
      names = "--prometheus-password-file",
      paramLabel = "FILE",
      description = "basic authentication; else $" + PrometheusEnvironment.PASSWORD_FILE)
  private @Nullable String passwordFile;

  @Option(
      names = "--prometheus-ca-file",
      paramLabel = "FILE",
      description = "certificates to trust, PEM; else $" + PrometheusEnvironment.CA_FILE)
  private @Nullable String caFile;

  @Option(
      names = "--prometheus-matcher",
      paramLabel = "MATCHER",
      description =
          "added to every selector, like cluster=\"eu\"; may be given again; else $"
              + PrometheusEnvironment.MATCHERS)
  private List<String> matchers = new ArrayList<>();

  @Option(
      names = "--prometheus-timeout",
      paramLabel = "DURATION",
      description = "of one query; else $" + PrometheusEnvironment.TIMEOUT + ", else 20s")
  private @Nullable String timeout;

  /**
   * Null where no server is named. Only the journey's own series are asked for.
   *
   * @throws CommandFailedException naming the option or the variable, and what would be right
   */
  @Nullable PrometheusSettings settings(Map<String, String> environment, String journey) {
    Map<String, String> given = new HashMap<>(environment);
    Map<String, String> options = new HashMap<>();
    put(given, options, PrometheusEnvironment.URL, "--prometheus", url);
    put(given, options, PrometheusEnvironment.TOKEN_FILE, "--prometheus-token-file", tokenFile);
    put(
        given,
        options,
        PrometheusEnvironment.USERNAME_FILE,
        "--prometheus-username-file",
        usernameFile);
    put(
        given,
        options,
        PrometheusEnvironment.PASSWORD_FILE,
        "--prometheus-password-file",
        passwordFile);
    put(given, options, PrometheusEnvironment.CA_FILE, "--prometheus-ca-file", caFile);
    String lines = matchers.isEmpty() ? null : String.join("\n", matchers);
    put(given, options, PrometheusEnvironment.MATCHERS, "--prometheus-matcher", lines);
    put(given, options, PrometheusEnvironment.TIMEOUT, "--prometheus-timeout", timeout);
    try {
      PrometheusSettings settings = PrometheusEnvironment.read(given);
      if (settings == null) {
        return null;
      }
      List<String> all = new ArrayList<>(settings.extraMatchers());
      all.add(MetricNames.JOURNEY + "=\"" + journey + "\"");
      return settings.withExtraMatchers(all);
    } catch (IllegalArgumentException e) {
      String message = "" + e.getMessage();
      for (Map.Entry<String, String> option : options.entrySet()) {
        message = message.replace(option.getKey(), option.getValue());
      }
      throw new CommandFailedException(message);
    }
  }

  private static void put(
      Map<String, String> given,
      Map<String, String> options,
      String variable,
      String option,
      @Nullable String value) {
    if (value != null) {
      given.put(variable, value);
      options.put(variable, option);
    }
  }
}
