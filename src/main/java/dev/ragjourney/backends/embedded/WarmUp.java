package dev.ragjourney.backends.embedded;

import dev.ragjourney.pipeline.Cancellation;
import dev.ragjourney.pipeline.MonotonicTime;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.Prompt;
import dev.ragjourney.pipeline.SearchQuery;
import dev.ragjourney.pipeline.StageCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the embedded backends questions before anybody waits for them: the first calls of a fresh
 * process take ten times as long as later ones.
 */
final class WarmUp {
  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

  private static final int JOURNEYS = 60;
  private static final Duration LONGEST = Duration.ofSeconds(5);
  private static final int PASSAGES = 10;
  private static final String ANY_QUESTION = "How does this work?";

  private final EmbeddedBackends backends;
  private final MonotonicTime time = MonotonicTime.system();

  WarmUp(EmbeddedBackends backends) {
    this.backends = backends;
  }

  /** Ends after {@value #JOURNEYS} journeys or 5 s; a failure ends it too and is only logged. */
  void run(List<String> questions, List<String> titles) throws InterruptedException {
    List<String> asked = new ArrayList<>(questions);
    asked.addAll(titles);
    asked.add(ANY_QUESTION);
    long deadline = time.nanos() + LONGEST.toNanos();
    try {
      for (int i = 0; i < JOURNEYS && time.nanos() < deadline; i++) {
        journey(asked.get(i % asked.size()), !titles.isEmpty());
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      LOG.warn("warm-up ended early: {}", e.toString());
    }
  }

  private void journey(String question, boolean withDocuments) throws Exception {
    float[] vector = backends.embedder().embed(call("embed"), question);
    if (withDocuments) {
      SearchQuery query = new SearchQuery(question, vector, PASSAGES, false);
      List<Passage> found = backends.search().search(call("search"), query).passages();
      List<Passage> best = backends.reranker().rerank(call("rerank"), question, found).passages();
      Prompt prompt = new Prompt(question, best, "", best.isEmpty(), null, null);
      backends.generator().generate(call("generate"), prompt, token -> {});
    }
  }

  private StageCall call(String stage) {
    long deadline = time.nanos() + LONGEST.toNanos();
    return new StageCall(
        stage, 0, StageCall.Role.PRIMARY, time, deadline, deadline, Cancellation.NONE, null);
  }
}
