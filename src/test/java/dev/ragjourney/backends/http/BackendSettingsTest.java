package dev.ragjourney.backends.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ragjourney.plan.BackendPlan;
import dev.ragjourney.support.Backends;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackendSettingsTest {
  private static final Path SECRETS = Path.of("/none");

  @ParameterizedTest(name = "url {0} is refused: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          docs.example/search         | backends[docs].http.url is "docs.example/search", must begin with http:// or https:// and a host
          ftp://docs.example          | backends[docs].http.url is "ftp://docs.example", must begin with http:// or https:// and a host
          http://                     | backends[docs].http.url is "http://", must be an address
          http://user:pw@docs.example | backends[docs].http.url holds a user name or password; use headers with a secret instead
          """)
  void urls(String url, String message) {
    BackendPlan plan =
        new BackendPlan(
            "docs", "http", Map.of("url", url), Map.of(), List.of(), null, 1000, 100, Map.of());

    assertThatThrownBy(() -> HttpBackend.open(plan, SECRETS)).hasMessage(message);
  }

  @Test
  void a_missing_url_is_refused() {
    BackendPlan plan =
        new BackendPlan("docs", "http", Map.of(), Map.of(), List.of(), null, 1000, 100, Map.of());

    assertThatThrownBy(() -> HttpBackend.open(plan, SECRETS))
        .hasMessage("backends[docs].http.url is missing, must be an address");
  }

  @ParameterizedTest(name = "{0} plus /rerank is {1}")
  @CsvSource({
    "http://a,http://a/rerank",
    "http://a/,http://a/rerank",
    "http://a/x?k=v,http://a/x/rerank?k=v"
  })
  void addresses(String base, String expected) {
    assertThat(Endpoint.plus(URI.create(base), "/rerank")).hasToString(expected);
  }

  @ParameterizedTest(name = "header {0} with value {1} is refused")
  @CsvSource({"Host,x", "Content-Length,5", "Connection,close", "x bad,1", "'x-line','a\nb'"})
  void headers(String name, String value) {
    BackendPlan plan =
        Backends.withHeaders(
            Backends.plan("docs", "http", URI.create("http://a")),
            new BackendPlan.Header(name, value, null));

    assertThatThrownBy(() -> HttpBackend.open(plan, SECRETS))
        .hasMessageStartingWith("backends[docs].headers[0].name is \"" + name + "\"")
        .hasMessageNotContaining("value is " + value);
  }

  @ParameterizedTest(name = "secret file {0} is refused")
  @CsvSource({"../etc/passwd", "token", "a/b/c", "/etc/passwd", "llm/../../x"})
  void secret_files(String file) {
    BackendPlan plan =
        Backends.withApiKey(Backends.plan("docs", "http", URI.create("http://a")), file);

    assertThatThrownBy(() -> HttpBackend.open(plan, SECRETS))
        .hasMessage(
            "secret file is \"" + file + "\", must be the object's name, a slash and the key");
  }

  @ParameterizedTest(name = "dimensions {0} is refused")
  @CsvSource({"0", "-1", "1.5", "many"})
  void dimensions(String dimensions) {
    BackendPlan plan =
        Backends.plan("docs", "http", URI.create("http://a"), "dimensions", dimensions);

    assertThatThrownBy(() -> HttpBackend.open(plan, SECRETS))
        .hasMessage(
            "backends[docs].http.dimensions is \""
                + dimensions
                + "\", must be a whole number above 0");
  }

  @Test
  void a_connect_time_out_of_nothing_is_refused() {
    BackendPlan plan =
        new BackendPlan(
            "docs", "http", Map.of("url", "http://a"), Map.of(), List.of(), null, 0, 100, Map.of());

    assertThatThrownBy(() -> HttpBackend.open(plan, SECRETS))
        .hasMessage("backends[docs].connectTimeout is 0 ms, must be at least 1 ms");
  }
}
