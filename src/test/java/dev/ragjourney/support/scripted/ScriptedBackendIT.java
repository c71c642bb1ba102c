package dev.ragjourney.support.scripted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptedBackendIT {
  private static final String CHAT =
      """
      {"model": "m", "messages": [{"role": "user", "content": "when does it open"}]}""";
  private static final String STREAM =
      """
      {"model": "m", "stream": true, "stream_options": {"include_usage": true},
       "messages": [{"role": "user", "content": "when does it open"}]}""";

  private ScriptedBackend backend;
  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeEach
  void start() throws IOException {
    backend = ScriptedBackend.start();
  }

  @AfterEach
  void stop() throws IOException {
    client.shutdownNow();
    backend.close();
  }

  @ParameterizedTest(name = "{0} answers with {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /v1/chat/completions | {"messages":[{"role":"user","content":"hello"}]}          | hello
          /v1/embeddings       | {"input":"hello","model":"m"}                             | "embedding":[
          /v1/rerank           | {"query":"a book","documents":["a tree","the book"]}      | "relevance_score":1.0
          /v2/rerank           | {"query":"a book","documents":["a tree","the book"]}      | "index":1
          /rerank              | {"query":"a book","texts":["a tree","the book"]}          | [{"index":0,"score":0.0}
          /embed               | {"inputs":"hello"}                                        | [[0.
          /http/search         | {"question":"when does the reading room open","topK":2}   | library.txt#0
          /http/rerank         | {"question":"b","passages":[{"id":"p1","text":"b"}]}      | "id":"p1"
          /points/query        | {"query":[0.5],"limit":2,"with_payload":["content"]}      | {"id":0,"version":3,"score":1.0
          /http/rewrite        | {"question":"b"}                                          | {"question":"b"}
          /http/embed          | {"input":"b"}                                             | {"embedding":[
          """)
  void every_protocol_answers(String path, String request, String expected) throws Exception {
    HttpResponse<String> response = post("/any/prefix" + path, request);

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).contains(expected);
  }

  @Test
  void a_stream_is_a_role_tokens_a_finish_reason_usage_and_done() throws Exception {
    backend.script(Protocol.CHAT, Behaviour.PLAIN.withText("one two"));

    assertThat(post("/v1/chat/completions", STREAM).body())
        .containsSubsequence(
            "\"role\":\"assistant\"",
            "\"content\":\"one\"",
            "\"content\":\" two\"",
            "\"finish_reason\":\"stop\"",
            "\"completion_tokens\":2",
            "data: [DONE]");
  }

  @Test
  void a_script_sent_over_http_rules_from_the_next_request() throws Exception {
    assertThat(
            post(
                    "/script",
                    """
                    [{"route": "chat", "faults": [{"kind": "STATUS", "status": 429, "retryAfterSeconds": 3, "times": 1}]},
                     {"route": "/slow", "delayMs": 150}]""")
                .statusCode())
        .isEqualTo(200);

    HttpResponse<String> refused = post("/v1/chat/completions", CHAT);
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValue("retry-after")).hasValue("3");
    assertThat(post("/v1/chat/completions", CHAT).statusCode()).isEqualTo(200);
    post("/slow/v1/chat/completions", CHAT);
    assertThat(backend.exchanges("/slow").getFirst().lasted())
        .isGreaterThanOrEqualTo(Duration.ofMillis(150));
  }

  @ParameterizedTest(name = "{0} is refused with: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"route": "chatt"}                                  | route is chatt, must be a path
          {"delayMs": 5}                                      | route is missing
          {"route": "chat", "delay": 5}                       | Unrecognized field
          {"route": "chat", "delayMs": -5}                    | medianMs is -5.0, must be 0 or more
          {"route": "chat", "faults": [{"kind": "NONSENSE"}]} | NONSENSE
          {"route": "chat"                                    | the script is no JSON
          """)
  void a_script_that_makes_no_sense(String sent, String expected) throws Exception {
    HttpResponse<String> response = post("/script", sent);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains(expected);
  }

  @Test
  void what_was_seen_is_told_over_http_and_forgotten_on_delete() throws Exception {
    post("/v1/chat/completions", CHAT);

    assertThat(request("GET", "/script", "").body())
        .contains("\"requests\":{\"/v1/chat/completions\":1}", "{\"ANSWERED\":1}");
    assertThat(request("GET", "/script/last/v1/chat/completions", "").body()).isEqualTo(CHAT);
    assertThat(request("DELETE", "/script", "").body()).contains("\"requests\":{}");
    assertThat(request("GET", "/script/last/v1/chat/completions", "").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest(name = "a client that leaves a server in {0} is noticed")
  @CsvSource({"HANG_BEFORE_HEADERS", "HANG_IN_BODY", "SLOW_DRIP", "KEEP_ALIVES_FOREVER"})
  void leaving(Fault.Kind kind) throws Exception {
    backend.script("*", Behaviour.faulty(kind));
    try (Socket socket = new Socket("127.0.0.1", backend.port())) {
      OutputStream out = socket.getOutputStream();
      String head =
          "POST /v1/chat/completions HTTP/1.1\r\nContent-Length: " + STREAM.length() + "\r\n\r\n";
      out.write((head + STREAM).getBytes(StandardCharsets.UTF_8));
      await().until(() -> backend.exchanges().size() == 1);
      assertThat(backend.onlyExchange().ending()).isEqualTo(Exchange.Ending.OPEN);
    }

    await().until(() -> backend.onlyExchange().ending() == Exchange.Ending.CLOSED_BY_CLIENT);
    await().until(() -> backend.connectionsOpen() == 0);
  }

  @ParameterizedTest(name = "a connection broken by {0} gives the client no answer")
  @CsvSource({"RESET", "RESET_IN_BODY", "HALF_CLOSE"})
  void breaking(Fault.Kind kind) {
    backend.script("*", Behaviour.faulty(kind));

    assertThatThrownBy(() -> post("/v1/chat/completions", CHAT)).isInstanceOf(IOException.class);
    await().until(() -> backend.onlyExchange().ending() == Exchange.Ending.BROKEN_BY_SERVER);
  }

  @Test
  void an_unknown_path_is_not_found_and_a_bad_request_is_told_so() throws Exception {
    assertThat(post("/v1/nothing", CHAT).statusCode()).isEqualTo(404);
    assertThat(post("/v1/rerank", "[]").statusCode()).isEqualTo(400);
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return request("POST", path, body);
  }

  private HttpResponse<String> request(String method, String path, String body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(backend.url(path))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .version(HttpClient.Version.HTTP_1_1)
            .timeout(Duration.ofSeconds(20))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
