package dev.ragjourney.backends.rerank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.backends.http.RemoteBackend;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.BackendException.Kind;
import dev.ragjourney.pipeline.Embedder;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.PassagesFound;
import dev.ragjourney.pipeline.Reranker;
import dev.ragjourney.support.Backends;
import dev.ragjourney.support.CutCall;
import dev.ragjourney.support.scripted.Behaviour;
import dev.ragjourney.support.scripted.Fault;
import dev.ragjourney.support.scripted.ScriptedBackend;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RerankBackendsIT {
  private static final List<Passage> PASSAGES =
      List.of(
          new Passage("a#1", "", "a tree", 3),
          new Passage("a#2", "Hours", "the reading room opens at nine", 2),
          new Passage("a#3", "", "the room", 1));

  /** A reranker of each shape. */
  enum Shape {
    COHERE("/v2/rerank", "documents"),
    JINA("/v1/rerank", "documents"),
    TEI("/rerank", "texts");

    private final String path;
    private final String field;

    Shape(String path, String field) {
      this.path = path;
      this.field = field;
    }
  }

  private ScriptedBackend server;
  private RemoteBackend open;

  @BeforeEach
  void start() throws IOException {
    server = ScriptedBackend.start();
  }

  @AfterEach
  void stop() throws IOException {
    if (open != null) {
      open.close();
    }
    server.close();
  }

  @ParameterizedTest(name = "{0} puts the passages into a better order")
  @EnumSource
  void order(Shape shape) throws Exception {
    PassagesFound found = rerank(shape);

    assertThat(found.passages()).extracting(Passage::id).containsExactly("a#2", "a#3", "a#1");
    assertThat(found.passages().getFirst().score()).isGreaterThan(0);
    assertThat(server.onlyExchange().path()).isEqualTo(shape.path);
    JsonNode sent = new ObjectMapper().readTree(server.onlyExchange().body());
    assertThat(sent.path(shape.field).get(1).asText())
        .isEqualTo("Hours\nthe reading room opens at nine");
  }

  @ParameterizedTest(name = "{0} with {1} is {2}")
  @CsvSource({
    "COHERE,BAD_INDEX,INVALID_ANSWER",
    "COHERE,DUPLICATE_RESULT,INVALID_ANSWER",
    "COHERE,MISSING_RESULT,INVALID_ANSWER",
    "COHERE,NOT_A_NUMBER,INVALID_ANSWER",
    "COHERE,INFINITE_NUMBER,INVALID_ANSWER",
    "COHERE,EMPTY,INVALID_ANSWER",
    "COHERE,ERROR_SHAPED_200,INVALID_ANSWER",
    "JINA,BAD_INDEX,INVALID_ANSWER",
    "JINA,TRUNCATED_JSON,INVALID_ANSWER",
    "JINA,RESET_IN_BODY,UNAVAILABLE",
    "TEI,BAD_INDEX,INVALID_ANSWER",
    "TEI,DUPLICATE_RESULT,INVALID_ANSWER",
    "TEI,MISSING_RESULT,INVALID_ANSWER",
    "TEI,NOT_A_NUMBER,INVALID_ANSWER",
    "TEI,INFINITE_NUMBER,INVALID_ANSWER",
    "TEI,EMPTY,INVALID_ANSWER",
    "TEI,GARBAGE,INVALID_ANSWER",
    "TEI,ERROR_SHAPED_200,INVALID_ANSWER"
  })
  void a_fault(Shape shape, Fault.Kind fault, Kind expected) {
    server.script("*", Behaviour.faulty(fault));

    assertFails(shape, expected);
  }

  @ParameterizedTest(name = "{0}: status {1} costs one request and is {2}")
  @CsvSource({
    "COHERE,429,OVERLOADED",
    "COHERE,503,OVERLOADED",
    "COHERE,504,BACKEND_TIMEOUT",
    "JINA,401,REFUSED",
    "TEI,429,OVERLOADED",
    "TEI,413,REFUSED",
    "TEI,424,SERVER_ERROR"
  })
  void a_status(Shape shape, int status, Kind expected) {
    server.script("*", Behaviour.status(status));

    assertFails(shape, expected);
  }

  @Test
  void tei_embeds_and_checks_the_declared_dimension() throws Exception {
    open =
        TeiBackend.open(
            Backends.plan("tei", "tei", server.url(""), "dimensions", "384"), Path.of("/none"));
    Embedder embedder = (Embedder) open.port(StageType.EMBED);
    CutCall call = CutCall.unhurried();
    assertThat(call.run(() -> embedder.embed(call.stageCall(), "hello"))).hasSize(384);

    server.script("tei-embed", Behaviour.PLAIN.withDimension(3));
    CutCall second = CutCall.unhurried();
    assertThatThrownBy(() -> second.run(() -> embedder.embed(second.stageCall(), "hello")))
        .hasMessage("tei: the vector has 3 components, 384 declared");
  }

  private void assertFails(Shape shape, Kind expected) {
    assertThatThrownBy(() -> rerank(shape))
        .isInstanceOfSatisfying(
            BackendException.class,
            failure -> assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(expected));
    assertThat(server.exchanges()).hasSize(1);
  }

  private PassagesFound rerank(Shape shape) throws Exception {
    open =
        switch (shape) {
          case COHERE ->
              RerankBackend.open(
                  Backends.plan(
                      "r", "rerank", server.url("/"), "style", "Cohere", "model", "rerank-v3.5"),
                  Path.of("/none"));
          case JINA ->
              RerankBackend.open(
                  Backends.plan("r", "rerank", server.url("/v1"), "style", "Jina"),
                  Path.of("/none"));
          case TEI -> TeiBackend.open(Backends.plan("r", "tei", server.url("")), Path.of("/none"));
        };
    Reranker reranker = (Reranker) open.port(StageType.RERANK);
    CutCall call = CutCall.unhurried();
    return call.run(() -> reranker.rerank(call.stageCall(), "reading room", PASSAGES));
  }
}
