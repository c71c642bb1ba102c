package dev.ragjourney.pipeline;

import dev.ragjourney.budget.AnswerCachePolicy;
import dev.ragjourney.pipeline.AnswerCache.Asked;
import dev.ragjourney.pipeline.AnswerCache.Found;
import dev.ragjourney.pipeline.AnswerCache.Kept;
import dev.ragjourney.pipeline.AnswerCache.Lookup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one journey has of earlier answers. The lookup runs beside the stages, on a thread of its
 * own, and its hit is held until it is wanted: a level that answers from the cache costs nothing.
 */
final class Recall {
  /** Up front a hit is waited for this long; later it still counts, before each stage. */
  static final long UP_FRONT_WAIT = 25_000_000;

  /** At its level a lookup that still runs gets this long. */
  static final long LONGEST_WAIT = 100_000_000;

  /** Longer questions and answers are not kept: one must not push out hundreds. */
  private static final int LONGEST_QUESTION = 2_000;

  private static final int LONGEST_ANSWER = 32_000;

  private static final String STAGE = "answer-cache";

  private final Trip trip;
  private final @Nullable AnswerCache cache;
  private final double minSimilarity;
  private final boolean upFront;
  private @Nullable Call<Looked> lookup;
  private @Nullable Asked asked;
  private @Nullable Kept hit;
  private @Nullable Lookup outcome;
  private boolean waitedUpFront;

  /** A question that hangs on what was said before it has no answer of an earlier one. */
  Recall(Trip trip) {
    this.trip = trip;
    AnswerCachePolicy policy = trip.route().policy().answerCache();
    Question question = trip.question();
    boolean alone = question.earlier().isEmpty() && question.text().length() <= LONGEST_QUESTION;
    cache = policy != null && alone ? trip.route().answers() : null;
    minSimilarity = policy == null ? 1 : policy.minSimilarity();
    upFront = policy != null && policy.upFront() && trip.drill() == null;
  }

  /** A lookup's result, and the question with the vector that was made for it. */
  private record Looked(Asked asked, Found found) {}

  /** Starts to look, or to embed what is looked for. */
  void begin() {
    AnswerCache to = cache;
    if (to == null) {
      return;
    }
    Asked words = new Asked(trip.question().tenant(), trip.question().text(), "", null);
    Embedder embedder = to.embedder();
    if (embedder == null) {
      take(to.find(words, minSimilarity, trip.now()));
    } else {
      look(
          to,
          call -> {
            float[] vector = embedder.embed(call, words.text());
            return new Asked(words.tenant(), words.text(), STAGE, vector);
          });
    }
  }

  /** The journey's own embedding is there. */
  void embedded(float[] vector, String backend) {
    AnswerCache to = cache;
    if (to != null && to.embedder() == null) {
      Asked with = new Asked(trip.question().tenant(), trip.question().text(), backend, vector);
      asked = with;
      if (hit == null) {
        look(to, call -> with);
      }
    }
  }

  /** Nothing was looked for yet but the very same question: the Embed stage has not run. */
  boolean lacksVector() {
    return cache != null && lookup == null && hit == null;
  }

  /** A hit that is to answer instead of the stages still to come; null if there is none. */
  @Nullable Kept upFront() throws CallCancelledException {
    if (!upFront || cache == null) {
      return null;
    }
    boolean first = lookup != null && !waitedUpFront;
    waitedUpFront |= first;
    return heldAfter(first ? UP_FRONT_WAIT : 0);
  }

  /** The hit, for a level that answers from the cache; null if there is none. */
  @Nullable Kept held() throws CallCancelledException {
    return heldAfter(LONGEST_WAIT);
  }

  private @Nullable Kept heldAfter(long wait) throws CallCancelledException {
    Call<Looked> running = lookup;
    if (hit == null && running != null) {
      long reserve = trip.route().budget().reserve().toNanos();
      long until = trip.now() + Math.min(wait, trip.remaining() - reserve);
      while (running.result() == null && trip.now() < until) {
        trip.await(until);
      }
      settle(running);
    }
    return hit;
  }

  private void look(AnswerCache to, Call.Work<Asked> question) {
    long end = trip.deadline().atNanos();
    StageCall told =
        new StageCall(
            STAGE,
            0,
            StageCall.Role.PRIMARY,
            trip.machinery().time(),
            end,
            end,
            Cancellation.NONE,
            null);
    Call<Looked> call =
        new Call<>(
            trip.machinery(),
            trip.bell(),
            Beside.FORM,
            told,
            end,
            Cut.DEADLINE,
            running -> {
              Asked with = question.run(running);
              running.check();
              return new Looked(
                  with, to.find(with, minSimilarity, trip.machinery().time().nanos()));
            },
            () -> {},
            null);
    lookup = call;
    call.advance(trip.now());
  }

  private void settle(Call<Looked> call) {
    Result<Looked> result = call.result();
    if (result instanceof Result.Value<Looked>(Looked(Asked with, Found found))) {
      asked = with;
      take(found);
    } else if (result != null) {
      outcome = Lookup.FAILED;
    }
  }

  private void take(Found found) {
    Kept kept = found.answer();
    Integer most = trip.question().maxTokens();
    boolean fits = kept == null || most == null || AnswerText.tokens(kept.content()) <= most;
    hit = fits ? kept : null;
    outcome = fits ? found.lookup() : Lookup.MISS;
  }

  /** Keeps the journey's own answer for others, after it has been given. */
  void keep(String content, List<Passage> sources) {
    AnswerCache to = cache;
    Call<Looked> running = lookup;
    if (running != null) {
      settle(running);
    }
    Asked with = asked;
    if (to == null
        || with == null
        || trip.drill() != null
        || content.isBlank()
        || content.length() > LONGEST_ANSWER) {
      return;
    }
    Kept answer =
        new Kept(
            content,
            sources.stream()
                .map(source -> new Passage(source.id(), source.title(), "", source.score()))
                .toList());
    trip.machinery()
        .start(
            true,
            () -> {
              AnswerCache.Stock stock = to.keep(with, answer, trip.machinery().time().nanos());
              trip.listener().answerKept(trip.route(), stock);
            });
  }

  /** The journey is over. */
  void end() {
    Call<Looked> running = lookup;
    if (running != null) {
      if (hit == null) {
        settle(running);
      }
      running.cancel(Cut.LOST);
    }
    if (cache != null) {
      Lookup result = running != null && running.cancelled() ? Lookup.FAILED : outcome;
      trip.listener().answerLookedUp(trip.route(), result == null ? Lookup.FAILED : result);
    }
  }

  /** Tells the machinery that a lookup computes. */
  private static final class Beside implements Embedder {
    static final StageForm FORM =
        new StageForm("v0", STAGE, new Beside(), 0, null, false, null, null, "", "", null);

    @Override
    public float[] embed(StageCall call, String text) {
      throw new UnsupportedOperationException("it only says where a lookup runs");
    }

    @Override
    public boolean holdsCarrier() {
      return true;
    }
  }
}
