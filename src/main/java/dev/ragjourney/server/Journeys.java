package dev.ragjourney.server;

import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Cancellation;
import dev.ragjourney.pipeline.Question;
import dev.ragjourney.pipeline.Route;
import dev.ragjourney.pipeline.TokenSink;

/** Runs journeys on the calling thread. */
@FunctionalInterface
public interface Journeys {
  /**
   * Gives an answer always: what goes wrong on the way is in it.
   *
   * @param caller over when nobody waits for the answer any more
   * @throws CallCancelledException if nobody wants the answer any more
   */
  Answer run(Route route, Question question, TokenSink sink, Cancellation caller)
      throws CallCancelledException;
}
