package dev.ragjourney.backends.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.backends.openai.OpenAiBackend;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.BackendException.Kind;
import dev.ragjourney.pipeline.Rewriter;
import dev.ragjourney.plan.BackendPlan;
import dev.ragjourney.support.CannedServer;
import dev.ragjourney.support.CutCall;
import dev.ragjourney.support.scripted.Exchange;
import dev.ragjourney.support.scripted.ScriptedBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignInIT {
  @TempDir Path mounted;
  private CannedServer login;
  private ScriptedBackend llm;
  private OpenAiBackend backend;

  @BeforeEach
  void start() throws IOException {
    login = CannedServer.start();
    llm = ScriptedBackend.start();
    Files.writeString(mounted.resolve("token"), "from+the/cluster\n");
    tokens("token-1", 3600);
  }

  @AfterEach
  void stop() throws IOException {
    backend.close();
    login.close();
    llm.close();
  }

  @Test
  void the_cluster_s_token_is_exchanged_for_one_that_goes_along() throws Exception {
    open(environment());
    await().until(() -> backend.missing().isEmpty());

    rewrite();

    CannedServer.Seen asked = login.onlyRequest();
    assertThat(asked.target()).isEqualTo("/tenant-1/oauth2/v2.0/token");
    assertThat(asked.headers().getFirst("Content-Type"))
        .isEqualTo("application/x-www-form-urlencoded");
    assertThat(asked.body())
        .isEqualTo(
            "grant_type=client_credentials&client_id=client-1"
                + "&scope=https%3A%2F%2Fcognitiveservices.azure.com%2F.default"
                + "&client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer"
                + "&client_assertion=from%2Bthe%2Fcluster");
    Exchange seen = llm.onlyExchange();
    assertThat(seen.headers()).containsEntry("authorization", "Bearer token-1");
    assertThat(seen.headers()).doesNotContainKey("api-key");
  }

  @Test
  void a_token_is_renewed_before_its_end_though_nobody_asks() throws Exception {
    tokens("token-1", 2);
    open(environment());
    await().until(() -> backend.missing().isEmpty());

    tokens("token-2", 3600);
    Files.writeString(mounted.resolve("token"), "rotated");

    await()
        .ignoreException(BackendException.class)
        .until(
            () -> {
              rewrite();
              return "Bearer token-2".equals(llm.exchanges().getLast().header("authorization"));
            });
    assertThat(login.seen().getLast().body()).endsWith("client_assertion=rotated");
  }

  @Test
  void a_token_past_its_end_is_not_sent() {
    tokens("token-1", 1);
    open(environment());
    await().until(() -> backend.missing().isEmpty());

    login.json(503, "{}");

    await().until(() -> backend.missing().equals(List.of("llm sign-in: status 503")));
    assertFails("llm sign-in: status 503");
    assertThat(llm.connectionsOpened()).isZero();
  }

  @ParameterizedTest(name = "{0} with {1} is: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | {\"error\":\"invalid_client\",\"error_description\":\"from+the/cluster\",\"error_codes\":[700016]} | llm sign-in: status 400 (invalid_client, AADSTS700016)",
        "401 | {\"error\":\"from+the/cluster\"} | llm sign-in: status 401",
        "200 | {\"access_token\":\"\",\"expires_in\":3600} | llm sign-in: the answer holds no token",
        "200 | {\"access_token\":\"a b\",\"expires_in\":3600} | llm sign-in: the answer holds no token",
        "200 | {\"access_token\":\"t\"} | llm sign-in: the answer holds no token",
        "200 | <html> | llm sign-in: the answer is no JSON"
      })
  void refusals(int status, String answer, String message) {
    login.json(status, answer);
    open(environment());

    await().until(() -> backend.missing().equals(List.of(message)));
    assertFails(message);
    assertThat(llm.connectionsOpened()).isZero();
  }

  @Test
  void a_refused_sign_in_is_tried_again() {
    login.json(503, "{}");
    open(environment());
    await().until(() -> backend.missing().equals(List.of("llm sign-in: status 503")));

    tokens("token-1", 3600);

    await().until(() -> backend.missing().isEmpty());
  }

  @Test
  void a_pod_without_an_identity_says_what_gives_it_one() {
    open(Map.of("AZURE_TENANT_ID", "tenant-1"));

    assertThat(backend.missing())
        .containsExactly(
            "llm: AZURE_FEDERATED_TOKEN_FILE, AZURE_CLIENT_ID not set: the pod needs the label"
                + " azure.workload.identity/use: \"true\" and its service account the annotation"
                + " azure.workload.identity/client-id");
    assertThat(login.seen()).isEmpty();
  }

  @Test
  void a_missing_token_of_the_cluster_is_told() throws IOException {
    Files.delete(mounted.resolve("token"));
    open(environment());

    await()
        .until(
            () ->
                backend
                    .missing()
                    .equals(List.of("llm sign-in: the cluster's token is not mounted")));
  }

  @Test
  void a_warm_up_does_not_sign_in() throws Exception {
    open(Map.of());

    backend.warmUp();

    assertThat(login.seen()).isEmpty();
  }

  private void tokens(String token, int seconds) {
    login.json(
        200,
        "{\"token_type\":\"Bearer\",\"expires_in\":"
            + seconds
            + ",\"ext_expires_in\":"
            + seconds
            + ",\"access_token\":\""
            + token
            + "\"}");
  }

  private Map<String, String> environment() {
    return Map.of(
        "AZURE_FEDERATED_TOKEN_FILE",
        mounted.resolve("token").toString(),
        "AZURE_TENANT_ID",
        "tenant-1",
        "AZURE_CLIENT_ID",
        "client-1",
        "AZURE_AUTHORITY_HOST",
        login.url("/").toString());
  }

  private void open(Map<String, String> environment) {
    BackendPlan plan =
        new BackendPlan(
            "llm",
            "azureOpenai",
            Map.of(
                "endpoint",
                llm.url("").toString(),
                "deployment",
                "big",
                "workloadIdentity",
                "true"),
            Map.of(),
            List.of(),
            null,
            2000,
            100,
            Map.of());
    backend = OpenAiBackend.open(plan, Path.of("/none"), environment);
  }

  private void assertFails(String message) {
    assertThatThrownBy(this::rewrite)
        .isInstanceOfSatisfying(
            BackendException.class, failure -> assertThat(failure.kind()).isEqualTo(Kind.NOT_READY))
        .hasMessage(message);
  }

  private String rewrite() throws Exception {
    CutCall call = CutCall.unhurried();
    Rewriter rewriter = (Rewriter) backend.port(StageType.REWRITE);
    return call.run(() -> rewriter.rewrite(call.stageCall(), "When?", List.of(), ""));
  }
}
