package dev.ragjourney.backends.embedded;

import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.PassagesFound;
import dev.ragjourney.pipeline.Reranker;
import dev.ragjourney.pipeline.StageCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Reranks by late interaction. Scores are those of {@link QuestionPieces#match}, from −1 to 1;
 * passages that answer a question are usually above ½. Equal passages keep their order.
 */
final class LateInteraction implements Reranker {
  private final VectorSource vectors;

  LateInteraction(VectorSource vectors) {
    this.vectors = vectors;
  }

  /** It computes; only the model runs on threads of its own. */
  @Override
  public boolean holdsCarrier() {
    return true;
  }

  @Override
  public PassagesFound rerank(StageCall call, String question, List<Passage> passages)
      throws CallCancelledException, BackendException {
    call.check();
    if (passages.isEmpty()) {
      return PassagesFound.whole(passages);
    }
    QuestionPieces pieces = QuestionPieces.of(vectors.question(call, question), vectors.weights());
    List<Passage> scored = new ArrayList<>(passages.size());
    for (Passage passage : passages) {
      call.check();
      scored.add(passage.withScore(pieces.match(vectors.passage(call, passage))));
    }
    // A stable sort: equal scores keep the search's order.
    scored.sort(Comparator.comparingDouble(Passage::score).reversed());
    return PassagesFound.whole(scored);
  }
}
