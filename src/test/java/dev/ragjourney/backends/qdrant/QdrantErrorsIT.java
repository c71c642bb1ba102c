package dev.ragjourney.backends.qdrant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.SearchQuery;
import dev.ragjourney.support.Backends;
import dev.ragjourney.support.CutCall;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QdrantErrorsIT {
  @ParameterizedTest(name = "{0} {1} means: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          400 | Wrong input: Vector dimension error: expected dim: 768, got 384             | the collection's vectors have 768 components, the question's has 384
          400 | Wrong input: Not existing vector name error: sparse                         | the collection has no vector of this name; vectorField names it
          400 | Wrong input: Collection requires specified vector name in the request       | the collection has no vector of this name; vectorField names it
          404 | Not found: Collection `handbook` doesn't exist!                             | there is no such collection
          400 | Collection `handbook` doesn't exist!                                        |
          404 | no route                                                                    |
          403 | Forbidden: key sk-123 may not read                                          |
          500 | Service internal error: 1 of 1 read operations failed                       |
          """)
  void words(int status, String error, String meaning) {
    var body = new ObjectMapper().createObjectNode();
    body.putObject("status").put("error", error);

    assertThat(QdrantErrors.words(status, body)).isEqualTo(meaning);
  }

  @ParameterizedTest(name = "status {0} with {1} is told as: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          404 | {"status":{"error":"Not found: Collection `c` doesn't exist!"},"time":0.1} | docs: status 404 (there is no such collection)
          400 | {"status":{"error":"the question was: secret"},"time":0.1}                 | docs: status 400
          401 | Must provide an API key or an Authorization bearer token                   | docs: status 401
          """)
  void on_the_wire(int status, String body, String message) throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    try (QdrantBackend backend =
        QdrantBackend.open(
            Backends.plan("docs", "qdrant", url, "collection", "c"), Path.of("/none"))) {
      CutCall call = CutCall.unhurried();
      SearchQuery query = new SearchQuery("secret", new float[] {1}, 3, false);

      assertThatThrownBy(
              () -> call.run(() -> backend.port(StageType.SEARCH).search(call.stageCall(), query)))
          .hasMessage(message)
          .hasNoCause();
    } finally {
      server.stop(0);
    }
  }
}
