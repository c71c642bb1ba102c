package dev.ragjourney.backends.embedded;

import dev.ragjourney.backends.embedded.documents.DocumentProblem;
import java.time.Duration;
import java.util.List;

/** How far the embedded backends are. The text is for {@code /readyz} and for people. */
public sealed interface IndexProgress {
  String text();

  /** Whether every embedded backend answers. */
  default boolean ready() {
    return false;
  }

  /** The embedding model is being loaded. */
  record LoadingModel() implements IndexProgress {
    @Override
    public String text() {
      return "the embedding model is being loaded";
    }
  }

  /** There is nothing to index yet; looked at again every few seconds. */
  record WaitingForDocuments(String reason) implements IndexProgress {
    @Override
    public String text() {
      return "documents are missing: " + reason;
    }
  }

  /**
   * @param done passages embedded
   * @param total passages to embed
   */
  record Indexing(int done, int total) implements IndexProgress {
    @Override
    public String text() {
      return "indexing: " + done + " of " + total + " passages";
    }
  }

  /**
   * @param took from the start of reading to the end of indexing
   * @param problems documents or parts of them that were left out
   */
  record Ready(int documents, int passages, Duration took, List<DocumentProblem> problems)
      implements IndexProgress {
    public Ready {
      problems = List.copyOf(problems);
    }

    @Override
    public boolean ready() {
      return true;
    }

    @Override
    public String text() {
      String left = problems.isEmpty() ? "" : ", " + problems.size() + " problems";
      return passages + " passages of " + documents + " documents" + left;
    }
  }

  /** Only a restart can help. */
  record Failed(String reason) implements IndexProgress {
    @Override
    public String text() {
      return reason;
    }
  }
}
