package dev.ragjourney.app;

import dev.ragjourney.operator.ApiConnection;
import dev.ragjourney.operator.JourneyOperator;
import dev.ragjourney.operator.OperatorMetrics;
import dev.ragjourney.prometheus.NotConfigured;
import dev.ragjourney.prometheus.PrometheusLatencySource;
import dev.ragjourney.prometheus.PrometheusSettings;
import dev.ragjourney.rebalance.LatencySource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.hotspot.DefaultExports;
import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/** Keeps the journeys of a cluster. */
@Command(
    name = "operator",
    mixinStandardHelpOptions = true,
    description = {
      "Watches RagJourneys and keeps their pods, plans and status.",
      "Told by the environment: RAGJOURNEY_IMAGE (needed), RAGJOURNEY_PROMETHEUS_URL,",
      "RAGJOURNEY_PROMETHEUS_TOKEN_FILE (or RAGJOURNEY_PROMETHEUS_USERNAME_FILE and",
      "RAGJOURNEY_PROMETHEUS_PASSWORD_FILE), RAGJOURNEY_PROMETHEUS_CA_FILE,",
      "RAGJOURNEY_PROMETHEUS_MATCHERS (one a line, like cluster=\"eu\"),",
      "RAGJOURNEY_PROMETHEUS_TIMEOUT, RAGJOURNEY_PROMETHEUS_MAX_RESPONSE_MIB,",
      "RAGJOURNEY_NAMESPACES, RAGJOURNEY_LEASE_NAMESPACE, RAGJOURNEY_ANNOUNCE_PLANS,",
      "RAGJOURNEY_ROLL_AT_ONCE,",
      "RAGJOURNEY_OPERATOR_PORT, RAGJOURNEY_LOG_LEVEL, RAGJOURNEY_LOGLEVEL_PORT. The cluster is the kubeconfig's, or the pod's own."
    })
final class OperatorCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(OperatorCommand.class);

  @Override
  public Integer call() throws IOException, InterruptedException {
    OperatorEnvironment environment = OperatorEnvironment.from(System.getenv());
    CollectorRegistry registry = new CollectorRegistry();
    DefaultExports.register(registry);
    KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(ApiConnection.bounded(Config.autoConfigure(null)))
            .build();
    JourneyOperator operator =
        new JourneyOperator(
            client,
            latencies(environment.prometheus()),
            environment.operator(),
            new OperatorMetrics(registry),
            Clock.systemUTC());
    OperatorPage page =
        new OperatorPage(environment.port(), operator::live, operator::started, registry);
    LogLevelPage logLevel = LogLevelPage.tryStart(System.getenv());
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("stop")
                .unstarted(
                    () -> {
                      LOG.info("the operator stops");
                      operator.close();
                      page.close();
                      if (logLevel != null) {
                        logLevel.close();
                      }
                      client.close();
                      stopped.countDown();
                    }));
    operator.start(
        () -> {
          LOG.error("the lease is lost; this operator ends, so that only one leads");
          // Not on the election's own thread, which the orderly stop has to end.
          Thread.ofPlatform().name("exit").start(() -> System.exit(1));
        });
    LOG.info(
        "the operator runs; pods get {}, health and metrics are on port {}",
        environment.operator().image(),
        page.port());
    stopped.await();
    return 0;
  }

  /** Lives as long as the process. */
  private static LatencySource latencies(@Nullable PrometheusSettings prometheus) {
    return prometheus == null ? new NotConfigured() : new PrometheusLatencySource(prometheus);
  }
}
