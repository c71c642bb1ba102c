package dev.ragjourney.backends.openai;

import com.openai.models.embeddings.CreateEmbeddingResponse;
import com.openai.models.embeddings.Embedding;
import com.openai.models.embeddings.EmbeddingCreateParams;
import dev.ragjourney.backends.http.Failures;
import dev.ragjourney.backends.http.Vectors;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Embedder;
import dev.ragjourney.pipeline.StageCall;
import java.util.List;
import java.util.Map;

/** Asks an embedding model for one vector. */
final class OpenAiEmbedder implements Embedder {
  private final SdkCalls calls;
  private final OpenAiSettings settings;

  OpenAiEmbedder(SdkCalls calls, OpenAiSettings settings) {
    this.calls = calls;
    this.settings = settings;
  }

  @Override
  public float[] embed(StageCall call, String text)
      throws BackendException, CallCancelledException {
    EmbeddingCreateParams.Builder request =
        EmbeddingCreateParams.builder()
            .model(settings.model())
            .input(text)
            .encodingFormat(EmbeddingCreateParams.EncodingFormat.FLOAT);
    if (settings.dimensions() != null) {
      request.dimensions(settings.dimensions().longValue());
    }
    EmbeddingCreateParams built = request.build();
    return calls.run(call, false, Map.of(), client -> vector(client.embeddings().create(built)));
  }

  private float[] vector(CreateEmbeddingResponse answer) throws BackendException {
    List<Embedding> data = answer._data().asKnown().orElse(List.of());
    if (data.size() != 1) {
      throw Failures.invalid(
          calls.backend(), "the answer holds " + data.size() + " vectors, one was asked for");
    }
    List<Float> components = data.getFirst().embedding();
    float[] vector = new float[components.size()];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = components.get(i);
    }
    return Vectors.checked(calls.backend(), vector, settings.dimensions());
  }
}
