package dev.ragjourney.pipeline;

/** Takes the answer's text as it comes. */
@FunctionalInterface
public interface TokenSink {
  /**
   * Takes a piece of content, never empty: role-only chunks, comments and keep-alives are not
   * content.
   *
   * @throws CallCancelledException if nobody wants the rest
   */
  void accept(String content) throws CallCancelledException;
}
