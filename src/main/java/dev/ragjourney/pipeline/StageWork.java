package dev.ragjourney.pipeline;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The work of every kind of stage but generate: asks the port, and takes only an answer that makes
 * sense. Nonsense is an error with its own reason, never a fast success.
 */
final class StageWork {
  private StageWork() {}

  static Call.Work<Gain> of(StageForm form, Gathered so) {
    return switch (form.port()) {
      case Rewriter rewriter -> call -> rewrite(rewriter, form, so, call);
      case Embedder embedder -> call -> embed(embedder, form, so, call);
      case PassageSearch search -> call -> search(search, form, so, call);
      case Reranker reranker -> call -> rerank(reranker, form, so, call);
      case Tool tool -> call -> tool(tool, form, so, call);
      case Generator generator ->
          throw new IllegalArgumentException(
              "The backend " + form.backend() + " generates; its stage must be of type Generate.");
    };
  }

  private static Gain rewrite(Rewriter port, StageForm form, Gathered so, StageCall call)
      throws Exception {
    String text = port.rewrite(call, so.question(), so.earlier(), form.instructions());
    require(!text.isBlank(), form, "gave a blank question");
    return Gain.whole(to -> to.withSearchText(text.strip()));
  }

  private static Gain embed(Embedder port, StageForm form, Gathered so, StageCall call)
      throws Exception {
    float[] vector = port.embed(call, so.searchText());
    require(vector.length > 0, form, "gave an empty vector");
    for (float component : vector) {
      require(Float.isFinite(component), form, "gave a vector that is not finite");
    }
    return Gain.whole(to -> to.withVector(vector));
  }

  private static Gain search(PassageSearch port, StageForm form, Gathered so, StageCall call)
      throws Exception {
    PassagesFound found = found(port, form, so.searchText(), so.vector(), call);
    return new Gain(to -> to.found(List.of(found.passages()), form.topK()), found.degradedReason());
  }

  /** What a search by keyword alone finds. */
  static Call.Work<PassagesFound> byKeyword(StageForm form, String text) {
    if (form.port() instanceof PassageSearch search) {
      return call -> found(search, form, text, null, call);
    }
    throw new IllegalArgumentException("The backend " + form.backend() + " does not search.");
  }

  private static PassagesFound found(
      PassageSearch port, StageForm form, String text, float @Nullable [] vector, StageCall call)
      throws Exception {
    boolean keywordOnly = form.keywordOnly() || vector == null;
    PassagesFound found =
        port.search(call, new SearchQuery(text, vector, form.topK(), form.ef(), keywordOnly));
    requireScores(found, form);
    return new PassagesFound(best(found.passages(), form.topK()), found.degradedReason());
  }

  private static Gain rerank(Reranker port, StageForm form, Gathered so, StageCall call)
      throws Exception {
    if (so.passages().isEmpty()) {
      return Gain.whole(to -> to);
    }
    PassagesFound found = port.rerank(call, so.searchText(), so.passages());
    requireScores(found, form);
    require(!found.passages().isEmpty(), form, "lost every passage");
    Set<String> known = new HashSet<>();
    so.passages().forEach(p -> known.add(p.id()));
    for (Passage passage : found.passages()) {
      require(known.remove(passage.id()), form, "gave a passage that it was not given, or twice");
    }
    List<Passage> best = best(found.passages(), form.topK());
    return new Gain(to -> to.reordered(best), found.degradedReason());
  }

  private static Gain tool(Tool port, StageForm form, Gathered so, StageCall call)
      throws Exception {
    String text =
        port.call(call, new ToolInput(so.searchText(), so.vector(), so.passages(), so.answer()));
    require(!text.isBlank(), form, "gave a blank answer");
    return Gain.whole(to -> to.withToolText(call.stage(), text));
  }

  private static void requireScores(PassagesFound found, StageForm form) throws BackendException {
    for (Passage passage : found.passages()) {
      require(Double.isFinite(passage.score()), form, "gave a score that is not a number");
    }
  }

  /** Zero passages wanted means that the form sets no limit. */
  static List<Passage> best(List<Passage> passages, int topK) {
    return topK > 0 && passages.size() > topK ? passages.subList(0, topK) : passages;
  }

  private static void require(boolean sound, StageForm form, String complaint)
      throws BackendException {
    if (!sound) {
      throw new BackendException(
          BackendException.Kind.INVALID_ANSWER, form.backend() + " " + complaint);
    }
  }
}
