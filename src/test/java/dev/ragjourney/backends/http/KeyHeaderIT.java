package dev.ragjourney.backends.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.ragjourney.plan.BackendPlan;
import dev.ragjourney.support.Backends;
import dev.ragjourney.support.CutCall;
import dev.ragjourney.support.scripted.ScriptedBackend;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyHeaderIT {
  @TempDir Path secrets;

  @ParameterizedTest(name = "as {0} a key is sent as {1}: {2}")
  @CsvSource({"BEARER,authorization,Bearer sesame", "API_KEY,api-key,sesame"})
  void a_key_is_shown_as_the_service_wants_it(KeyHeader key, String header, String value)
      throws Exception {
    Files.createDirectories(secrets.resolve("docs"));
    Files.writeString(secrets.resolve("docs/key"), "sesame\n");
    try (ScriptedBackend server = ScriptedBackend.start()) {
      BackendPlan plan = Backends.plan("docs", "http", server.url("/http/search"));
      try (HttpTransport transport =
          HttpTransport.open(
              Backends.withApiKey(plan, "docs/key"), secrets, key, ErrorWords.NONE)) {
        CutCall call = CutCall.unhurried();
        call.run(
            () ->
                transport.post(
                    call.stageCall(),
                    server.url("/http/search"),
                    JsonNodeFactory.instance.objectNode().put("question", "q")));
      }

      assertThat(server.onlyExchange().headers()).containsEntry(header, value);
      assertThat(server.onlyExchange().headers().values())
          .filteredOn(sent -> sent.contains("sesame"))
          .hasSize(1);
    }
  }
}
