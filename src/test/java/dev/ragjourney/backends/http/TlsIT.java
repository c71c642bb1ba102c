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
import dev.ragjourney.support.scripted.Fault;
import dev.ragjourney.support.scripted.ScriptedBackend;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsIT {
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir Path directory;
  private ScriptedBackend server;
  private HttpBackend backend;

  @AfterEach
  void stop() throws Exception {
    if (backend != null) {
      backend.close();
    }
    if (server != null) {
      server.close();
    }
  }

  @Test
  void the_mounted_ca_is_trusted() throws Exception {
    serve("server", "ip:127.0.0.1");
    mountCa("server");

    assertThat(rewrite()).isEqualTo("when?");
  }

  @Test
  void without_the_ca_the_server_is_not_trusted() throws Exception {
    serve("server", "ip:127.0.0.1");
    backend = HttpBackend.open(plan(), directory);

    assertFails(Kind.UNAVAILABLE, "docs: no trusted TLS connection");
  }

  @Test
  void a_certificate_for_another_host_is_not_trusted() throws Exception {
    serve("server", "dns:elsewhere.example");
    mountCa("server");

    assertFails(Kind.UNAVAILABLE, "docs: no trusted TLS connection");
  }

  @Test
  void a_missing_or_senseless_ca_file_is_named() throws Exception {
    serve("server", "ip:127.0.0.1");
    backend = HttpBackend.open(Backends.withCa(plan(), "corp/ca.crt"), directory);
    String missing =
        "key \"ca.crt\" of Secret or ConfigMap \"corp\" is not mounted or not readable";
    assertFails(Kind.NOT_READY, missing);
    assertThat(backend.missing()).containsExactly(missing);

    Files.createDirectories(directory.resolve("corp"));
    Files.writeString(directory.resolve("corp/ca.crt"), "not a certificate");
    assertThat(backend.missing())
        .containsExactly("key \"ca.crt\" of Secret or ConfigMap \"corp\" holds no PEM certificate");
  }

  @Test
  void a_rotated_ca_is_trusted_without_a_restart() throws Exception {
    serve("server", "ip:127.0.0.1");
    keyStore("old", "ip:127.0.0.1");
    mountCa("old");
    assertFails(Kind.UNAVAILABLE, "docs: no trusted TLS connection");

    Files.writeString(directory.resolve("corp/ca.crt"), pem("server"));

    await().ignoreExceptions().until(() -> rewrite().equals("when?"));
  }

  @Test
  void a_cut_call_closes_its_tls_connection() throws Exception {
    serve("server", "ip:127.0.0.1");
    mountCa("server");
    server.script("*", Behaviour.faulty(Fault.Kind.HANG_IN_BODY));
    CutCall call = CutCall.unhurried();

    call.assertCutOff(
        server, () -> rewriter().rewrite(call.stageCall(), "when?", List.of(), ""), call::cancel);
  }

  private void assertFails(Kind kind, String message) {
    assertThatThrownBy(this::rewrite)
        .isInstanceOfSatisfying(
            BackendException.class, failure -> assertThat(failure.kind()).isEqualTo(kind))
        .hasMessage(message);
  }

  private String rewrite() throws Exception {
    CutCall call = CutCall.unhurried();
    return call.run(() -> rewriter().rewrite(call.stageCall(), "when?", List.of(), ""));
  }

  private Rewriter rewriter() {
    return (Rewriter) backend.port(StageType.REWRITE);
  }

  private BackendPlan plan() {
    return Backends.plan(
        "docs", "http", URI.create("https://127.0.0.1:" + server.port() + "/http/rewrite"));
  }

  private void mountCa(String name) throws Exception {
    Files.createDirectories(directory.resolve("corp"));
    Files.writeString(directory.resolve("corp/ca.crt"), pem(name));
    backend = HttpBackend.open(Backends.withCa(plan(), "corp/ca.crt"), directory);
  }

  private void serve(String name, String subject) throws Exception {
    Path keys = keyStore(name, subject);
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keys)) {
      store.load(in, PASSWORD);
    }
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    server =
        ScriptedBackend.serve(
            context
                .getServerSocketFactory()
                .createServerSocket(0, 16, InetAddress.getLoopbackAddress()));
  }

  private Path keyStore(String name, String subject) throws Exception {
    Path store = directory.resolve(name + ".p12");
    keytool(
        List.of(
            "-genkeypair",
            "-alias",
            name,
            "-keyalg",
            "EC",
            "-dname",
            "CN=" + name,
            "-ext",
            "san=" + subject,
            "-keystore",
            store.toString(),
            "-storepass",
            "changeit"));
    return store;
  }

  private String pem(String name) throws Exception {
    Path pem = directory.resolve(name + ".pem");
    keytool(
        List.of(
            "-exportcert",
            "-rfc",
            "-alias",
            name,
            "-file",
            pem.toString(),
            "-keystore",
            directory.resolve(name + ".p12").toString(),
            "-storepass",
            "changeit"));
    return Files.readString(pem);
  }

  private static void keytool(List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>(arguments);
    command.addFirst(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
  }
}
