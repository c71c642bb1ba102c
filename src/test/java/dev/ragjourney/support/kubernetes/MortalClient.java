package dev.ragjourney.support.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The client of a process that dies: from one write on nothing that it asks is sent, or the answer
 * to its last write is not seen any more.
 */
public final class MortalClient implements AutoCloseable {
  private final Death death;
  private final KubernetesClient client;

  /**
   * @param writes so many are made before it dies
   * @param unanswered whether the answer to the last one is lost
   */
  public MortalClient(Config config, int writes, boolean unanswered) {
    death = new Death(writes, unanswered);
    client =
        new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder(config).withRequestRetryBackoffLimit(0).build())
            .withHttpClientBuilderConsumer(
                builder -> builder.addOrReplaceInterceptor("death", death))
            .build();
  }

  public KubernetesClient client() {
    return client;
  }

  public boolean died(long millis) throws InterruptedException {
    return death.dead.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Now, if it did not die before. */
  public void die() {
    death.calls.set(0);
    death.dead.countDown();
  }

  private static final class Death implements Interceptor {
    private final AtomicInteger calls;
    private final boolean unanswered;
    private final CountDownLatch dead = new CountDownLatch(1);

    Death(int calls, boolean unanswered) {
      this.calls = new AtomicInteger(calls);
      this.unanswered = unanswered;
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
      // Reads change nothing: only of writes it matters whether they were made.
      if (!request.method().equals("GET") && calls.decrementAndGet() < 0) {
        dead.countDown();
      }
      refuse(request);
    }

    @Override
    public void after(
        HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> body) {
      if (unanswered && !request.method().equals("GET") && calls.get() == 0) {
        dead.countDown();
      }
      refuse(request);
    }

    private void refuse(HttpRequest request) {
      if (dead.getCount() == 0) {
        throw new KubernetesClientException("dead: " + request.uri());
      }
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
