package dev.ragjourney.backends.openai;

import com.openai.core.http.StreamResponse;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.completions.CompletionUsage;
import dev.ragjourney.backends.http.Failures;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Completion;
import dev.ragjourney.pipeline.Generator;
import dev.ragjourney.pipeline.Prompt;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.pipeline.TokenSink;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Streams an answer and hands on its content, and only its content. */
final class OpenAiGenerator implements Generator {
  /** Routers in front of models read here in how many milliseconds the first token is due. */
  static final String FIRST_TOKEN_DUE = "x-slo-ttft-ms";

  /** After its end mark a stream may take this long for the token counts and its own end. */
  private static final long TAIL_MILLIS = 250;

  private final SdkCalls calls;
  private final ChatRequests requests;

  OpenAiGenerator(SdkCalls calls, ChatRequests requests) {
    this.calls = calls;
    this.requests = requests;
  }

  @Override
  public Completion generate(StageCall call, Prompt prompt, TokenSink sink)
      throws BackendException, CallCancelledException {
    ChatCompletionCreateParams request = requests.answer(prompt);
    long dueMillis = Math.max(0, call.remainingNanos() / 1_000_000);
    Map<String, String> headers =
        Map.of(FIRST_TOKEN_DUE, Long.toString(dueMillis), "Accept", "text/event-stream");
    Reading reading = new Reading(sink);
    try {
      return calls.run(
          call,
          true,
          headers,
          client -> {
            try (var stream = client.chat().completions().createStreaming(request)) {
              return reading.toTheEnd(stream, calls.backend());
            }
          });
    } catch (BackendException | CallCancelledException e) {
      Completion complete = reading.complete();
      if (complete != null) {
        return complete;
      }
      throw e;
    }
  }

  /** What was read of one stream. */
  private static final class Reading {
    private final TokenSink sink;
    private boolean content;
    private @Nullable String finishReason;
    private @Nullable CompletionUsage usage;

    Reading(TokenSink sink) {
      this.sink = sink;
    }

    Completion toTheEnd(StreamResponse<ChatCompletionChunk> stream, String backend)
        throws BackendException, CallCancelledException {
      CompletableFuture<Void> tail = null;
      Iterator<ChatCompletionChunk> chunks = stream.stream().iterator();
      try {
        while (chunks.hasNext()) {
          take(chunks.next());
          if (finishReason != null && tail == null) {
            tail =
                CompletableFuture.runAsync(
                    stream::close,
                    CompletableFuture.delayedExecutor(TAIL_MILLIS, TimeUnit.MILLISECONDS));
          }
        }
      } finally {
        if (tail != null) {
          tail.cancel(false);
        }
      }
      if (finishReason == null) {
        throw Failures.invalid(backend, "the stream ended without a finish reason");
      }
      Completion complete = complete();
      if (complete == null) {
        throw Failures.invalid(
            backend,
            finishReason.equals(Failures.CONTENT_FILTER)
                ? "the content filter of the service withheld the answer"
                : "an empty completion");
      }
      return complete;
    }

    private void take(ChatCompletionChunk chunk) throws CallCancelledException {
      chunk._usage().asKnown().ifPresent(counted -> usage = counted);
      for (var choice : chunk._choices().asKnown().orElse(List.of())) {
        String text =
            choice._delta().asKnown().flatMap(delta -> delta._content().asKnown()).orElse("");
        if (!text.isEmpty()) {
          content = true;
          sink.accept(text);
        }
        choice._finishReason().asKnown().ifPresent(reason -> finishReason = reason.asString());
      }
    }

    /** The answer, once the model has said that it is complete; null before. */
    @Nullable Completion complete() {
      if (finishReason == null || !content) {
        return null;
      }
      CompletionUsage counted = usage;
      return counted == null
          ? new Completion(finishReason, null, null)
          : new Completion(
              finishReason, tokens(counted._promptTokens()), tokens(counted._completionTokens()));
    }

    private static @Nullable Integer tokens(com.openai.core.JsonField<Long> counted) {
      return counted.asKnown().map(Long::intValue).orElse(null);
    }
  }
}
