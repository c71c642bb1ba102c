package dev.ragjourney.backends.embedded;

import dev.ragjourney.backends.embedded.AnswerSentences.Choice;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Completion;
import dev.ragjourney.pipeline.Generator;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.Prompt;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.pipeline.TokenSink;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Answers with sentences of the passages, word for word, and names the sources; says so where none
 * fits. {@code [2]} is the prompt's second passage. It reads no instructions: it cannot follow any.
 */
final class ExtractiveAnswerer implements Generator {
  static final String NO_CONTEXT = "Nothing was found in the documents that fits this question.";
  static final String NO_ANSWER =
      "The passages found in the documents do not seem to answer this question.";

  /** Where the prompt sets no limit. */
  private static final int DEFAULT_MAX_TOKENS = 400;

  /** Longer texts are counted as this long. */
  private static final int MOST_COUNTED = 4096;

  private final VectorSource vectors;
  private final AnswerSentences sentences;

  ExtractiveAnswerer(VectorSource vectors) {
    this.vectors = vectors;
    this.sentences = new AnswerSentences(vectors);
  }

  /** It computes; only the model runs on threads of its own. */
  @Override
  public boolean holdsCarrier() {
    return true;
  }

  @Override
  public Completion generate(StageCall call, Prompt prompt, TokenSink sink)
      throws CallCancelledException, BackendException {
    call.check();
    Writer writer = new Writer(call, prompt, sink);
    if (prompt.noContext() || prompt.passages().isEmpty()) {
      return writer.only(NO_CONTEXT);
    }
    List<Choice> chosen = sentences.choose(call, prompt.question(), prompt.passages());
    return chosen.isEmpty() ? writer.only(NO_ANSWER) : writer.all(chosen, prompt.passages());
  }

  /** Writes sentence by sentence and counts word pieces. */
  private final class Writer {
    private final StageCall call;
    private final TokenSink sink;
    private final int limit;
    private final int inputTokens;
    private int used;
    private boolean cut;

    Writer(StageCall call, Prompt prompt, TokenSink sink) throws BackendException {
      this.call = call;
      this.sink = sink;
      Integer wanted = prompt.maxTokens();
      limit = Math.max(1, wanted == null ? DEFAULT_MAX_TOKENS : wanted);
      int input = count(prompt.question());
      for (Passage passage : prompt.passages()) {
        input += count(passage.text());
      }
      inputTokens = input;
    }

    Completion only(String message) throws CallCancelledException, BackendException {
      write(message);
      return done();
    }

    Completion all(List<Choice> chosen, List<Passage> passages)
        throws CallCancelledException, BackendException {
      boolean whole = true;
      Set<Integer> cited = new LinkedHashSet<>();
      for (int i = 0; whole && i < chosen.size(); i++) {
        Choice choice = chosen.get(i);
        boolean lastOfPassage =
            i + 1 == chosen.size() || chosen.get(i + 1).passage() != choice.passage();
        String mark = lastOfPassage ? " " + mark(choice.passage()) : "";
        whole = write((i == 0 ? "" : " ") + choice.text() + mark);
        cited.add(choice.passage());
      }
      boolean first = true;
      for (int passage : cited) {
        String line = mark(passage) + " " + passages.get(passage).title();
        whole = whole && write((first ? "\n\n" : "\n") + line);
        first = false;
      }
      return done();
    }

    private static String mark(int passage) {
      return "[" + (passage + 1) + "]";
    }

    /**
     * @return false if the limit leaves no room for it
     */
    private boolean write(String piece) throws CallCancelledException, BackendException {
      call.check();
      int tokens = count(piece);
      if (used + tokens <= limit) {
        sink.accept(piece);
        used += tokens;
        return true;
      }
      if (used == 0) {
        String head = head(piece);
        used = count(head);
        cut = true;
        sink.accept(head);
      }
      return false;
    }

    /** The most whole words that the limit allows; the first word in any case. */
    private String head(String piece) throws BackendException {
      String head = piece;
      int blank = head.lastIndexOf(' ');
      while (blank > 0 && count(head) > limit) {
        head = head.substring(0, blank).stripTrailing();
        blank = head.lastIndexOf(' ');
      }
      return head;
    }

    private int count(String text) throws BackendException {
      return vectors.count(text, MOST_COUNTED);
    }

    /** Fewer sentences are a shorter answer; only half a sentence is a cut one. */
    private Completion done() {
      return new Completion(cut ? "length" : "stop", inputTokens, used);
    }
  }
}
