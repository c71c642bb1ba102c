package dev.ragjourney.backends.embedded.minilm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import ai.onnxruntime.OrtException;
import dev.langchain4j.model.embedding.onnx.OnnxEmbeddingModel;
import dev.langchain4j.model.embedding.onnx.PoolingMode;
import dev.ragjourney.backends.embedded.Calls;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.StageCall;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextEncoderTest {
  private static final String LONG = "Debian packages are kept up to date by people. ".repeat(60);

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static TextEncoder encoder;

  @BeforeAll
  static void load() throws Exception {
    encoder = TextEncoder.load(1);
  }

  @AfterAll
  static void close() {
    encoder.close();
  }

  @Test
  void vectors_are_those_of_the_published_model(@TempDir Path folder) throws Exception {
    OnnxEmbeddingModel reference =
        new OnnxEmbeddingModel(
            copied(folder, "all-minilm-l6-v2-q.onnx"),
            copied(folder, "all-minilm-l6-v2-q-tokenizer.json"),
            PoolingMode.MEAN);
    for (String text : List.of("How do I report a bug?", "Grüße aus 東京, it's late!", "a")) {
      float[] expected = reference.embed(text).content().vector();
      float[] actual = encoder.encode(Calls.patient(), text).pooled();
      double dot = 0;
      for (int i = 0; i < actual.length; i++) {
        dot += (double) actual[i] * expected[i];
      }
      assertThat(dot).as(text).isGreaterThan(0.999);
    }
  }

  private static String copied(Path folder, String resource) throws Exception {
    try (InputStream in = MiniLm.resource("/" + resource)) {
      Path file = folder.resolve(resource);
      Files.copy(in, file);
      return file.toString();
    }
  }

  @Test
  void every_text_has_a_finite_vector_of_length_one() throws Exception {
    for (String text : List.of("", " ", "\0", "😀", "\ud800", "x".repeat(1 << 20), LONG)) {
      float[] vector = encoder.encode(Calls.patient(), text).pooled();
      double squares = 0;
      for (float component : vector) {
        squares += (double) component * component;
      }
      assertThat(vector).hasSize(384);
      assertThat(squares).isBetween(0.999, 1.001);
    }
  }

  @Test
  void a_call_whose_time_is_up_does_not_begin() {
    StageCall late = Calls.within(Duration.ZERO);
    assertThatThrownBy(() -> encoder.encode(late, "text"))
        .isInstanceOf(CallCancelledException.class);
  }

  @Test
  void the_wait_for_a_busy_model_ends_with_the_calls_time() throws Exception {
    try (TextEncoder busy = TextEncoder.load(1)) {
      Future<Encoded> last = busy.submit(LONG);
      for (int i = 0; i < 40; i++) {
        last = busy.submit(LONG);
      }
      StageCall call = Calls.within(Duration.ofMillis(5));
      assertThatThrownBy(() -> busy.encode(call, "text"))
          .isInstanceOf(CallCancelledException.class);
      assertThat(last.isDone()).as("the model is still busy").isFalse();
    }
  }

  @Test
  void a_full_queue_refuses_at_once() throws Exception {
    try (TextEncoder busy = TextEncoder.load(1)) {
      assertThatThrownBy(
              () -> {
                while (true) {
                  busy.submit(LONG);
                }
              })
          .isInstanceOf(RejectedExecutionException.class);
      assertThatThrownBy(() -> busy.encode(Calls.patient(), "text"))
          .isInstanceOf(BackendException.class)
          .extracting(e -> ((BackendException) e).kind())
          .isEqualTo(BackendException.Kind.OVERLOADED);
    }
  }

  @Test
  void a_cancelled_call_ends() throws Exception {
    Calls.Cutter cutter = new Calls.Cutter();
    StageCall call = Calls.within(Duration.ofMinutes(1), cutter);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                while (true) {
                  encoder.encode(call, LONG);
                }
              } catch (Exception e) {
                failure.set(e);
              }
            });
    await().atMost(PATIENCE).until(cutter::listened);
    cutter.cut();
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(failure.get()).isInstanceOf(CallCancelledException.class));
  }

  @Test
  void a_run_that_has_begun_is_stopped_inside_the_native_code() throws Exception {
    try (MiniLm model = MiniLm.load()) {
      AtomicReference<Throwable> failure = new AtomicReference<>();
      // A run may end by itself between the look and the stop: then another one is tried.
      for (int i = 0; failure.get() == null && i < 200; i++) {
        Run run = new Run();
        Thread thread =
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        model.encode(LONG, run);
                      } catch (OrtException e) {
                        failure.set(e);
                      }
                    });
        while (!run.running() && thread.isAlive()) {
          Thread.onSpinWait();
        }
        run.end();
        thread.join();
      }
      assertThat(failure.get()).hasMessageContaining("terminate");
    }
  }

  @Test
  void an_ended_run_does_not_run() throws Exception {
    try (MiniLm model = MiniLm.load()) {
      Run run = new Run();
      run.end();
      assertThatThrownBy(() -> model.encode(LONG, run)).hasMessageContaining("terminate");
    }
  }

  @Test
  void an_interrupted_call_ends_and_stays_interrupted() throws Exception {
    AtomicReference<String> ended = new AtomicReference<>();
    Thread thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    while (true) {
                      encoder.encode(Calls.patient(), LONG);
                    }
                  } catch (Exception e) {
                    boolean interrupted = Thread.currentThread().isInterrupted();
                    ended.set(e.getClass().getSimpleName() + " " + interrupted);
                  }
                });
    thread.interrupt();
    await().atMost(PATIENCE).untilAtomic(ended, equalTo("CallCancelledException true"));
  }
}
