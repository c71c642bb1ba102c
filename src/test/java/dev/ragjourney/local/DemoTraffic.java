package dev.ragjourney.local;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** People who ask: questions at a steady pace, so that there is something to measure. */
final class DemoTraffic implements AutoCloseable {
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();
  private final ScheduledExecutorService pace =
      Executors.newSingleThreadScheduledExecutor(
          task -> Thread.ofPlatform().daemon().name("demo-traffic").unstarted(task));
  private final AtomicInteger asked = new AtomicInteger();
  private final URI ask;
  private final List<String> questions;

  DemoTraffic(String askUrl, List<String> questions, double perSecond) {
    ask = URI.create(askUrl);
    this.questions = List.copyOf(questions);
    pace.scheduleAtFixedRate(
        this::askNext, 0, Math.round(1_000_000 / perSecond), TimeUnit.MICROSECONDS);
  }

  private void askNext() {
    String question = questions.get(asked.getAndIncrement() % questions.size());
    HttpRequest request =
        HttpRequest.newBuilder(ask)
            .timeout(Duration.ofSeconds(10))
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"question\": \"" + question + "\"}"))
            .build();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                http.send(request, HttpResponse.BodyHandlers.discarding());
              } catch (IOException retriedByTheNextQuestion) {
                // A pod that just went away: people ask again.
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  @Override
  public void close() {
    pace.shutdownNow();
  }
}
