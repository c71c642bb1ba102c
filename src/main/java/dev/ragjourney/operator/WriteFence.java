package dev.ragjourney.operator;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this operator may write. The election ends this operator 3 s before its lease is over, if
 * its timers run. A process that was frozen for longer wakes up in the middle of its work, before
 * its timers have looked; so after any gap the lease is read before the next write.
 */
final class WriteFence implements AutoCloseable {
  /** Less than the 3 s. */
  static final Duration LONGEST_GAP = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(WriteFence.class);
  private static final Duration PULSE = Duration.ofMillis(500);

  private final String own;
  private final Supplier<@Nullable String> holder;
  private final LongSupplier nanos;
  private final Repeating pulse = new Repeating("write-fence");
  private boolean leads;
  private long awake;

  /**
   * @param own the name under which this operator leads
   * @param holder reads who leads
   * @param nanos the monotonic clock
   */
  WriteFence(String own, Supplier<@Nullable String> holder, LongSupplier nanos) {
    this.own = own;
    this.holder = holder;
    this.nanos = nanos;
  }

  void start() {
    pulse.start(PULSE, this::beat);
  }

  synchronized void gained() {
    leads = true;
    awake = nanos.getAsLong();
  }

  /** Whether this operator led until now, as far as it knows. */
  synchronized boolean lost() {
    boolean led = leads;
    leads = false;
    return led;
  }

  /**
   * To be called before each write.
   *
   * @throws NotLeadingException if another one may lead
   */
  void require() {
    if (!holds()) {
      throw new NotLeadingException();
    }
  }

  private synchronized boolean holds() {
    if (!leads) {
      return false;
    }
    long now = nanos.getAsLong();
    if (now - awake > LONGEST_GAP.toNanos() && !own.equals(holder.get())) {
      LOG.warn("this operator did not run for a while, and another one leads now");
      leads = false;
      return false;
    }
    awake = now;
    return true;
  }

  void beat() {
    try {
      holds();
    } catch (KubernetesClientException e) {
      LOG.debug("the lease cannot be read: {}", e.getMessage());
    }
  }

  @Override
  public void close() {
    pulse.close();
  }
}
