package dev.ragjourney.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * One generation. Its text waits here until the journey takes it, so nothing reaches the caller
 * before the race is decided.
 *
 * <p>It is decided by its first content where the budget is counted to the first token, and by its
 * end where it is counted to the last. Blanks alone are no content.
 */
final class StreamCall implements Attempt<StreamCall>, TokenSink {
  private final Call<Completion> call;
  private final Bell bell;
  private final MonotonicTime time;
  private final boolean toFirstToken;

  private final StringBuilder pending = new StringBuilder();
  private boolean hasContent;
  private boolean taken;
  private long firstContentNanos;
  private int characters;
  private volatile long lastContentNanos;
  private @Nullable Result<StreamCall> result;

  StreamCall(
      StageRace<StreamCall> race,
      StageForm form,
      StageRace.Limits limits,
      long toldEndNanos,
      Trip trip,
      boolean toFirstToken,
      Generator generator,
      Prompt prompt) {
    this.bell = trip.bell();
    this.time = trip.machinery().time();
    this.toFirstToken = toFirstToken;
    this.call =
        race.call(form, limits, toldEndNanos, told -> generator.generate(told, prompt, this));
  }

  @Override
  public void accept(String content) throws CallCancelledException {
    if (content.isEmpty()) {
      return;
    }
    boolean first;
    synchronized (this) {
      pending.append(content);
      characters += content.length();
      lastContentNanos = time.nanos();
      first = !hasContent && !content.isBlank();
      if (first) {
        hasContent = true;
        firstContentNanos = lastContentNanos;
      }
    }
    if (first && toFirstToken) {
      call.unlimited();
    }
    if (call.cancelled()) {
      throw new CallCancelledException();
    }
    bell.ring();
  }

  @Override
  public long advance(long nowNanos) {
    return call.advance(nowNanos);
  }

  @Override
  public @Nullable Result<StreamCall> result() {
    if (result == null) {
      result = decide();
    }
    return result;
  }

  private @Nullable Result<StreamCall> decide() {
    // Read before the content: whatever came before the end is seen then.
    Result<Completion> ended = call.result();
    boolean content = hasContent();
    if (toFirstToken && content && !call.cancelled()) {
      return new Result.Value<>(this);
    }
    return switch (ended) {
      case null -> null;
      case Result.Value<Completion> _ when content -> new Result.Value<>(this);
      case Result.Value<Completion> _ ->
          new Result.Failure<>(
              BackendException.Kind.INVALID_ANSWER,
              call.form().backend() + " gave an empty completion");
      case Result.Failure<Completion>(BackendException.Kind kind, String message, long after) ->
          new Result.Failure<>(kind, message, after);
      case Result.Withheld<Completion>(String reason, String message) ->
          new Result.Withheld<>(reason, message);
      case Result.CutOff<Completion>(Cut cut) -> new Result.CutOff<>(cut);
    };
  }

  @Override
  public boolean repeatable() {
    return !hasContent();
  }

  @Override
  public void cancel(Cut why) {
    call.cancel(why);
  }

  @Override
  public void limitTo(long endNanos, Cut whenReached) {
    call.limitTo(endNanos, whenReached);
  }

  /** The text that came since the last taking; empty if none did. */
  synchronized String take() {
    if (pending.isEmpty()) {
      return "";
    }
    String text = pending.toString();
    pending.setLength(0);
    taken = true;
    return text;
  }

  /** Some of the text was taken; of a loser none ever is. */
  synchronized boolean taken() {
    return taken;
  }

  synchronized boolean hasContent() {
    return hasContent;
  }

  /** Meaningless without content. */
  synchronized long firstContentNanos() {
    return firstContentNanos;
  }

  /** Characters of content that came. */
  synchronized int characters() {
    return characters;
  }

  long lastContentNanos() {
    return lastContentNanos;
  }

  Call<Completion> call() {
    return call;
  }
}
