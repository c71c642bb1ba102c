package dev.ragjourney.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class LogLevelIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Logger LOG = LoggerFactory.getLogger("level.test.inner");

  private final HttpClient client = HttpClient.newHttpClient();
  private LogLevelPage page;

  @BeforeEach
  void start() throws Exception {
    page = LogLevelPage.start(Map.of("RAGJOURNEY_LOGLEVEL_PORT", "0"));
  }

  @AfterEach
  void stop() throws Exception {
    put("{\"logger\": \"level.test\"}");
    page.close();
  }

  @Test
  void a_level_changes_at_once_for_a_logger_and_all_below_it_and_can_be_taken_back()
      throws Exception {
    boolean before = LOG.isTraceEnabled();
    assertThat(before).isFalse();

    HttpResponse<String> answer = put("{\"logger\": \"level.test\", \"level\": \"TRACE\"}");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(json(answer).path("level.test").asText()).isEqualTo("TRACE");
    assertThat(LOG.isTraceEnabled()).isTrue();
    assertThat(LoggerFactory.getLogger("another").isTraceEnabled()).isFalse();

    put("{\"logger\": \"level.test\"}");
    assertThat(LOG.isTraceEnabled()).isFalse();
    assertThat(json(get()).has("level.test")).isFalse();
  }

  @Test
  void without_a_logger_it_is_the_root_s() throws Exception {
    String before = json(get()).path("ROOT").asText();
    put("{\"level\": \"ERROR\"}");
    try {
      assertThat(LOG.isWarnEnabled()).isFalse();
      assertThat(json(get()).path("ROOT").asText()).isEqualTo("ERROR");
    } finally {
      put("{\"level\": \"%s\"}".formatted(before));
    }
    assertThat(LOG.isWarnEnabled()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"level\": \"LOUD\"}", "{}", "{\"level\": \"debug\"}", "DEBUG", ""})
  void what_is_no_level_is_refused_and_changes_nothing(String body) throws Exception {
    JsonNode before = json(get());

    HttpResponse<String> answer = put(body);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(json(answer).path("problem").asText()).contains("DEBUG");
    assertThat(json(get())).isEqualTo(before);
  }

  @Test
  void nobody_outside_of_the_pod_reaches_it() {
    assertThat(page.address().getAddress().isLoopbackAddress()).isTrue();
  }

  @Test
  void a_port_that_is_none_is_refused_by_its_name() {
    assertThatThrownBy(() -> LogLevelPage.start(Map.of("RAGJOURNEY_LOGLEVEL_PORT", "x")))
        .hasMessageContaining("RAGJOURNEY_LOGLEVEL_PORT is 'x'");
  }

  private HttpResponse<String> put(String body) throws Exception {
    return send(HttpRequest.newBuilder(uri()).PUT(HttpRequest.BodyPublishers.ofString(body)));
  }

  private HttpResponse<String> get() throws Exception {
    return send(HttpRequest.newBuilder(uri()));
  }

  private URI uri() {
    return URI.create("http://127.0.0.1:" + page.address().getPort() + "/loglevel");
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static JsonNode json(HttpResponse<String> answer) throws Exception {
    return JSON.readTree(answer.body());
  }
}
