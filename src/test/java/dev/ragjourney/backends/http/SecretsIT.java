package dev.ragjourney.backends.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.BackendException.Kind;
import dev.ragjourney.pipeline.Rewriter;
import dev.ragjourney.plan.BackendPlan;
import dev.ragjourney.support.Backends;
import dev.ragjourney.support.CutCall;
import dev.ragjourney.support.scripted.Behaviour;
import dev.ragjourney.support.scripted.ScriptedBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretsIT {
  @TempDir Path secrets;
  private ScriptedBackend server;
  private HttpBackend backend;

  @BeforeEach
  void start() throws IOException {
    server = ScriptedBackend.start();
    BackendPlan plan = Backends.plan("docs", "http", server.url("/http/rewrite"));
    backend =
        HttpBackend.open(
            Backends.withHeaders(
                Backends.withApiKey(plan, "llm/token"),
                new BackendPlan.Header("x-tenant", "blue", null),
                new BackendPlan.Header("x-extra", null, "llm/extra")),
            secrets);
    Files.createDirectories(secrets.resolve("llm"));
  }

  @AfterEach
  void stop() throws IOException {
    backend.close();
    server.close();
  }

  @Test
  void keys_and_headers_are_sent_without_the_line_end_of_the_file() throws Exception {
    Files.writeString(secrets.resolve("llm/token"), "sesame-1\n");
    Files.writeString(secrets.resolve("llm/extra"), "e");

    rewrite();

    assertThat(server.onlyExchange().headers())
        .containsEntry("authorization", "Bearer sesame-1")
        .containsEntry("x-tenant", "blue")
        .containsEntry("x-extra", "e");
  }

  @Test
  void a_rotated_key_is_sent_without_a_restart() throws Exception {
    Files.writeString(secrets.resolve("llm/token"), "sesame-1");
    Files.writeString(secrets.resolve("llm/extra"), "e");
    rewrite();

    Files.writeString(secrets.resolve("llm/token"), "sesame-2");

    await()
        .until(
            () -> {
              rewrite();
              return "Bearer sesame-2".equals(server.exchanges().getLast().header("authorization"));
            });
  }

  @Test
  void a_missing_key_is_named_by_secret_and_key_and_nothing_is_sent() throws Exception {
    Files.writeString(secrets.resolve("llm/extra"), "e");

    String missing = "key \"token\" of Secret or ConfigMap \"llm\" is not mounted or not readable";
    assertThatThrownBy(this::rewrite)
        .isInstanceOfSatisfying(
            BackendException.class, failure -> assertThat(failure.kind()).isEqualTo(Kind.NOT_READY))
        .hasMessage(missing);
    assertThat(backend.missing()).containsExactly(missing);
    assertThat(server.connectionsOpened()).isZero();

    Files.writeString(secrets.resolve("llm/token"), "sesame");
    assertThat(backend.missing()).isEmpty();
  }

  @Test
  void a_refusal_that_quotes_the_key_does_not_get_it_into_the_message() throws Exception {
    Files.writeString(secrets.resolve("llm/token"), "sesame-1");
    Files.writeString(secrets.resolve("llm/extra"), "e");
    server.script("*", Behaviour.status(401));

    assertThatThrownBy(this::rewrite).hasMessage("docs: status 401 (server_error)").hasNoCause();
  }

  private void rewrite() throws Exception {
    CutCall call = CutCall.unhurried();
    Rewriter rewriter = (Rewriter) backend.port(StageType.REWRITE);
    call.run(() -> rewriter.rewrite(call.stageCall(), "when?", List.of(), ""));
  }
}
