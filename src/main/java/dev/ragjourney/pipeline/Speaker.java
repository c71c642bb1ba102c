package dev.ragjourney.pipeline;

/** What the caller is told: collects the answer's text and, for a streaming caller, hands it on. */
final class Speaker {
  private final TokenSink sink;
  private final boolean streaming;
  private final StringBuilder text = new StringBuilder();

  Speaker(TokenSink sink, boolean streaming) {
    this.sink = sink;
    this.streaming = streaming;
  }

  /** Nobody hears what is said before it is known what it will become. */
  static Speaker silent() {
    return new Speaker(content -> {}, false);
  }

  /**
   * @throws CallCancelledException if the caller has left
   */
  void say(String content) throws CallCancelledException {
    if (content.isEmpty()) {
      return;
    }
    text.append(content);
    if (streaming) {
      try {
        sink.accept(content);
      } catch (RuntimeException brokenConnection) {
        throw new CallCancelledException();
      }
    }
  }

  /** Something has reached the caller and cannot be taken back. */
  boolean heard() {
    return streaming && !text.isEmpty();
  }

  boolean streaming() {
    return streaming;
  }

  String text() {
    return text.toString();
  }

  /** Drops what was said to nobody. */
  void forget() {
    text.setLength(0);
  }
}
