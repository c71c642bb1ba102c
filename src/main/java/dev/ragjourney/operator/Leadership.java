package dev.ragjourney.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lease by which one of several operators leads, and the fence around what it writes. */
final class Leadership implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
  private static final String LEASE = "ragjourney-operator";
  private static final Duration LEASE_DURATION = Duration.ofSeconds(10);
  private static final Duration RENEW_DEADLINE = Duration.ofSeconds(7);
  private static final Duration RETRY_PERIOD = Duration.ofSeconds(2);
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final KubernetesClient client;
  private final String namespace;
  private final String identity;
  private final WriteFence fence;

  /**
   * @param namespace of the lease
   */
  Leadership(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
    String pod = System.getenv("HOSTNAME");
    identity = pod == null || pod.isBlank() ? UUID.randomUUID().toString() : pod;
    fence = new WriteFence(identity, this::holder, System::nanoTime);
    fence.start();
  }

  /**
   * To be called before each write.
   *
   * @throws NotLeadingException if another one may lead
   */
  void requireToLead() {
    fence.require();
  }

  private @Nullable String holder() {
    LeaderElectionRecord held = new LeaseLock(namespace, LEASE, identity).get(client);
    return held == null ? null : held.getHolderIdentity();
  }

  /**
   * @param lost called when another one may lead
   */
  LeaderElectionConfiguration election(Runnable won, Runnable lost) {
    return new LeaderElectionConfiguration(
        LEASE,
        namespace,
        LEASE_DURATION,
        RENEW_DEADLINE,
        RETRY_PERIOD,
        identity,
        new LeaderCallbacks(
            () -> {
              fence.gained();
              won.run();
            },
            lost,
            leader -> {}),
        false);
  }

  /** The lease was lost, so it is not this one's to give back. */
  void lost() {
    fence.lost();
  }

  /**
   * Gives the lease back, so that nobody waits until it runs out. To be called when nothing is
   * written any more. The framework does not do it.
   */
  void release() {
    if (!fence.lost()) {
      return;
    }
    try {
      LeaseLock lock = new LeaseLock(namespace, LEASE, identity);
      LeaderElectionRecord held = lock.get(client);
      if (held != null && Objects.equals(held.getHolderIdentity(), identity)) {
        ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
        lock.update(
            client, new LeaderElectionRecord("", SHORTEST, now, now, held.getLeaderTransitions()));
      }
    } catch (KubernetesClientException e) {
      LOG.warn("the lease is not given back; it runs out by itself: {}", e.getMessage());
    }
  }

  @Override
  public void close() {
    fence.close();
  }
}
