package dev.ragjourney.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

@Timeout(30)
class AskCommandIT {
  private static final String FOUND =
      "{\"content\": \"A number. [1]\", \"level\": \"fast\", \"degraded\": true, \"overBudget\": false}";
  private static final String STATIC =
      "{\"content\": \"Sorry.\", \"level\": \"sorry\", \"degraded\": true, \"overBudget\": true}";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Deque<Scripted> script = new ArrayDeque<>();
  private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
  private HttpServer server;

  private record Scripted(int status, String body) {}

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/v1/ask",
        exchange -> {
          asked.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          Scripted next = script.size() > 1 ? script.pop() : script.peek();
          byte[] body = next.body().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(next.status(), body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @Test
  void an_answer_that_was_found_in_time_is_printed_and_ends_well() {
    answers(new Scripted(200, FOUND));

    assertThat(ask(url(), "What is \"a cap\"?")).isZero();
    assertThat(out.toString().strip()).isEqualTo(FOUND);
    assertThat(asked).containsExactly("{\"question\":\"What is \\\"a cap\\\"?\"}");
  }

  @Test
  void a_static_message_is_none() {
    answers(new Scripted(200, STATIC));

    assertThat(ask(url(), "why?")).isEqualTo(1);
    assertThat(err.toString()).contains("Sorry.");
    assertThat(asked).hasSize(1);
  }

  @Test
  void a_pod_that_is_not_ready_yet_is_asked_again_until_it_is() {
    answers(new Scripted(503, "not ready"), new Scripted(200, STATIC), new Scripted(200, FOUND));

    assertThat(ask("--within=20s", url(), "why?")).isZero();
    assertThat(asked).hasSize(3);
  }

  @Test
  void when_the_time_is_up_the_last_refusal_is_told() {
    answers(new Scripted(503, "the documents are missing"));

    assertThat(ask("--within=700ms", url(), "why?")).isEqualTo(1);
    assertThat(err.toString()).contains("503").contains("the documents are missing");
    assertThat(asked.size()).isGreaterThan(1);
  }

  @Test
  void nobody_there_is_told_with_the_address() {
    String address = url();
    server.stop(0);

    assertThat(ask(address, "why?")).isEqualTo(1);
    assertThat(err.toString()).contains(address + "/v1/ask");
  }

  @Test
  void a_duration_that_is_none_is_refused_by_its_name() {
    assertThat(ask("--within=1.5m", url(), "why?")).isEqualTo(2);
    assertThat(err.toString()).contains("--within").contains("1.5m");
  }

  private void answers(Scripted... replies) {
    script.addAll(List.of(replies));
  }

  private int ask(String... arguments) {
    return new CommandLine(new AskCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }
}
