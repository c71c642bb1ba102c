package dev.ragjourney.backends.embedded.documents;

import dev.ragjourney.pipeline.Passage;
import java.util.List;

/**
 * What a folder holds, ready to be indexed.
 *
 * @param documents how many texts were read
 * @param passages in the order of the files' names; ids are unique
 * @param problems what was left out, and why
 */
public record Corpus(int documents, List<Passage> passages, List<DocumentProblem> problems) {
  public Corpus {
    passages = List.copyOf(passages);
    problems = List.copyOf(problems);
  }
}
