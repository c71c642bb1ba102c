package dev.ragjourney.backends.embedded.minilm;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One run of the model that can be ended from another thread. */
final class Run {
  private OrtSession.@Nullable RunOptions running;
  private boolean ended;

  /**
   * @throws OrtException also when {@link #end} stopped the run
   */
  OrtSession.Result of(OrtSession session, Map<String, OnnxTensor> inputs) throws OrtException {
    try (OrtSession.RunOptions options = new OrtSession.RunOptions()) {
      synchronized (this) {
        options.setTerminate(ended);
        running = options;
      }
      try {
        return session.run(inputs, options);
      } finally {
        // The native options must outlive a termination in progress.
        synchronized (this) {
          running = null;
        }
      }
    }
  }

  /** Stops the run at its next graph node, or before it begins. Never blocks for long. */
  synchronized void end() {
    ended = true;
    if (running != null) {
      try {
        running.setTerminate(true);
      } catch (OrtException e) {
        // The run ends by itself within milliseconds.
        return;
      }
    }
  }

  /** Whether native code is at work for this run. */
  synchronized boolean running() {
    return running != null;
  }
}
