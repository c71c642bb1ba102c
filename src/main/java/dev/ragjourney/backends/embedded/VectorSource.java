package dev.ragjourney.backends.embedded;

import dev.ragjourney.backends.embedded.minilm.Encoded;
import dev.ragjourney.backends.embedded.minilm.TextEncoder;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.StageCall;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Vectors of questions and passages: from the index where it holds them, else from the model. */
final class VectorSource {
  /** Where nothing was counted all pieces weigh the same. */
  private static final PieceWeights EVEN = new PieceWeights(0, Map.of());

  private final RecentQuestions recent = new RecentQuestions();
  private final ReadyEncoder encoder;
  private final Supplier<@Nullable EmbeddedIndex> index;

  VectorSource(ReadyEncoder encoder, Supplier<@Nullable EmbeddedIndex> index) {
    this.encoder = encoder;
    this.index = index;
  }

  /** The model, once it is loaded. */
  @FunctionalInterface
  interface ReadyEncoder {
    /**
     * @throws BackendException of kind NOT_READY
     */
    TextEncoder get() throws BackendException;
  }

  /** A journey's embed, rerank and generate stages ask for the same question: encoded once. */
  Encoded question(StageCall call, String text) throws CallCancelledException, BackendException {
    call.check();
    Encoded known = recent.get(text);
    if (known != null) {
      return known;
    }
    Encoded encoded = encoder.get().encode(call, text);
    recent.put(text, encoded);
    return encoded;
  }

  PassageVectors passage(StageCall call, Passage passage)
      throws CallCancelledException, BackendException {
    EmbeddedIndex current = index.get();
    PassageVectors known = current == null ? null : current.vectors(passage);
    if (known != null) {
      return known;
    }
    Encoded encoded = encoder.get().encode(call, PassageVectors.modelText(passage));
    return PassageVectors.of(passage, encoded);
  }

  PieceWeights weights() {
    EmbeddedIndex current = index.get();
    return current == null ? EVEN : current.weights();
  }

  /** How much a word of {@link QuestionTerms} tells passages apart; 1 where nothing is indexed. */
  double rarity(String term) {
    EmbeddedIndex current = index.get();
    return current == null ? 1 : current.rarity(term);
  }

  int count(String text, int limit) throws BackendException {
    return encoder.get().count(text, limit);
  }
}
