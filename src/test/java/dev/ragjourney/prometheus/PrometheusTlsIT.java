package dev.ragjourney.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.ragjourney.rebalance.JourneyId;
import dev.ragjourney.rebalance.LatencyReading;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queries over TLS, to a server whose certificate only a mounted CA knows. */
class PrometheusTlsIT {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final Duration INTERVAL = Duration.ofMinutes(5);
  private static final String EMPTY =
      "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}";

  private final Queue<String> authorizations = new ConcurrentLinkedQueue<>();

  @TempDir Path directory;
  private HttpsServer server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.stop(0);
    }
  }

  @Test
  void a_mounted_ca_is_trusted_and_the_token_sent_below_the_base_path() throws Exception {
    serve("server", "ip:127.0.0.1");
    Path token = Files.writeString(directory.resolve("token"), "abc\n");

    assertThat(read(settings("server").withBearerTokenFile(token)))
        .isInstanceOf(LatencyReading.Measured.class);
    assertThat(authorizations).hasSize(3).containsOnly("Bearer abc");
  }

  @Test
  void without_the_ca_nothing_is_sent() throws Exception {
    serve("server", "ip:127.0.0.1");
    Path token = Files.writeString(directory.resolve("token"), "abc");

    assertThat(message(PrometheusSettings.of(url()).withBearerTokenFile(token)))
        .contains("unable to find valid certification path");
    assertThat(authorizations).isEmpty();
  }

  @Test
  void a_certificate_for_another_host_is_not_trusted() throws Exception {
    serve("server", "dns:elsewhere.example");

    assertThat(message(settings("server"))).contains("No subject alternative names matching");
    assertThat(authorizations).isEmpty();
  }

  @Test
  void a_rotated_ca_is_trusted_from_the_next_reading_on() throws Exception {
    serve("server", "ip:127.0.0.1");
    keyStore("old", "ip:127.0.0.1");
    Path ca = Files.writeString(directory.resolve("mounted.crt"), pem("old"));
    try (PrometheusLatencySource source =
        new PrometheusLatencySource(PrometheusSettings.of(url()).withCaFile(ca))) {
      assertThat(
              source.read(Instant.EPOCH, INTERVAL, INTERVAL, Set.of(new JourneyId("shop", "faq"))))
          .isInstanceOf(LatencyReading.Unavailable.class);

      Files.writeString(ca, pem("old") + pem("server"));

      assertThat(
              source.read(Instant.EPOCH, INTERVAL, INTERVAL, Set.of(new JourneyId("shop", "faq"))))
          .isInstanceOf(LatencyReading.Measured.class);
    }
  }

  @Test
  void a_server_that_speaks_no_tls_is_told() throws Exception {
    serve("server", "ip:127.0.0.1");

    assertThat(
            message(
                PrometheusSettings.of(
                    URI.create("http://127.0.0.1:" + server.getAddress().getPort()))))
        .startsWith("http://127.0.0.1:");
  }

  private PrometheusSettings settings(String ca) throws Exception {
    return PrometheusSettings.of(url())
        .withCaFile(Files.writeString(directory.resolve(ca + ".crt"), pem(ca)));
  }

  private URI url() {
    return URI.create("https://127.0.0.1:" + server.getAddress().getPort() + "/prometheus/");
  }

  private static LatencyReading read(PrometheusSettings settings) {
    try (PrometheusLatencySource source = new PrometheusLatencySource(settings)) {
      return source.read(Instant.EPOCH, INTERVAL, INTERVAL, Set.of(new JourneyId("shop", "faq")));
    }
  }

  private static String message(PrometheusSettings settings) {
    return ((LatencyReading.Unavailable) read(settings)).message();
  }

  private void serve(String name, String subject) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(keyStore(name, subject), PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/prometheus/api/v1/query_range",
        exchange -> {
          authorizations.add("" + exchange.getRequestHeaders().getFirst("authorization"));
          byte[] body = EMPTY.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("content-type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  private KeyStore keyStore(String name, String subject) throws Exception {
    Path file = directory.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias",
                    "key",
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=" + name,
                    "-ext",
                    "san=" + subject,
                    "-keystore",
                    file.toString(),
                    "-storepass",
                    new String(PASSWORD)))
            .redirectErrorStream(true)
            .start();
    assertThat(keytool.waitFor())
        .as(new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isZero();
    return load(name);
  }

  private KeyStore load(String name) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(directory.resolve(name + ".p12"))) {
      store.load(in, PASSWORD);
    }
    return store;
  }

  private String pem(String name) throws Exception {
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder().encodeToString(load(name).getCertificate("key").getEncoded())
        + "\n-----END CERTIFICATE-----\n";
  }
}
