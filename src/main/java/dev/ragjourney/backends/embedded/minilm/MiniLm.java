package dev.ragjourney.backends.embedded.minilm;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Map;

/**
 * The model itself. One run uses one thread; many threads may run it at once. Runs are native code
 * that no interrupt reaches: {@link Run#end} stops one at its next graph node.
 */
final class MiniLm implements AutoCloseable {
  /** Text beyond this many word pieces is not seen by the model. */
  static final int LONGEST = 320;

  private static final String RESOURCE = "/all-minilm-l6-v2-q.onnx";

  private final OrtEnvironment environment;
  private final OrtSession session;
  private final WordPieces wordPieces;

  private MiniLm(OrtEnvironment environment, OrtSession session, WordPieces wordPieces) {
    this.environment = environment;
    this.session = session;
    this.wordPieces = wordPieces;
  }

  /**
   * @throws IOException if the model or its native code is not there or does not load
   */
  static MiniLm load() throws IOException {
    try (InputStream model = resource(RESOURCE);
        OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      OrtEnvironment environment = OrtEnvironment.getEnvironment();
      // One thread a run: the encoder's pool decides how many runs go side by side.
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      OrtSession session = environment.createSession(model.readAllBytes(), options);
      return new MiniLm(environment, session, WordPieces.load());
    } catch (OrtException | UnsatisfiedLinkError e) {
      throw new IOException("the embedding model does not load: " + e.getMessage(), e);
    }
  }

  static InputStream resource(String name) throws IOException {
    InputStream stream = MiniLm.class.getResourceAsStream(name);
    if (stream == null) {
      throw new FileNotFoundException(name + " is not on the class path");
    }
    return stream;
  }

  Encoded encode(String text, Run run) throws OrtException {
    WordPieces.Pieces pieces = wordPieces.encode(text, LONGEST);
    int size = pieces.ids().length;
    long[] mask = new long[size];
    Arrays.fill(mask, 1);
    try (OnnxTensor ids = OnnxTensor.createTensor(environment, new long[][] {pieces.ids()});
        OnnxTensor masks = OnnxTensor.createTensor(environment, new long[][] {mask});
        OnnxTensor types = OnnxTensor.createTensor(environment, new long[1][size]);
        OrtSession.Result result =
            run.of(
                session,
                Map.of("input_ids", ids, "attention_mask", masks, "token_type_ids", types))) {
      FloatBuffer output = ((OnnxTensor) result.get(0)).getFloatBuffer();
      float[][] vectors = new float[size][Encoded.DIMENSION];
      String[] names = new String[size];
      for (int i = 0; i < size; i++) {
        output.get(vectors[i]);
        names[i] = wordPieces.piece(pieces.ids()[i]);
      }
      return new Encoded(names, pieces.starts(), pieces.ends(), vectors);
    }
  }

  /** Word pieces of the text, the marks left out, counted no further than the limit. */
  int count(String text, int limit) {
    return wordPieces.encode(text, limit + 2).ids().length - 2;
  }

  @Override
  public void close() throws OrtException {
    session.close();
  }
}
