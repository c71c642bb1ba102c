package dev.ragjourney.server;

import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.Question;
import dev.ragjourney.pipeline.TokenSink;
import java.io.IOException;

/** Says one answer: as it is written, to a caller who wants it so, or whole. */
interface Voice extends TokenSink {
  /** Something has been sent: the status cannot be changed any more. */
  boolean started();

  /** Says what has not been said yet, with the facts, and ends the response. */
  void end(Question question, Answer answer) throws IOException;
}
