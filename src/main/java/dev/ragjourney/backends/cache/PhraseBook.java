package dev.ragjourney.backends.cache;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The phrases of {@code phrases.txt}: English ones. A question in another language keeps all. */
final class PhraseBook {
  private static final String RESOURCE = "phrases.txt";
  private static final PhraseBook ENGLISH = load();

  /** By each word that may begin one, in the order of the file. */
  private final Map<String, List<Phrase>> byFirst = new HashMap<>();

  static PhraseBook english() {
    return ENGLISH;
  }

  private static PhraseBook load() {
    try (InputStream file = PhraseBook.class.getResourceAsStream(RESOURCE)) {
      if (file == null) {
        throw new IllegalStateException(RESOURCE + " is not on the class path");
      }
      PhraseBook book = new PhraseBook();
      new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(Phrase::parse)
          .forEach(book::add);
      return book;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(Phrase phrase) {
    for (List<String> choices : phrase.words()) {
      for (String word : choices) {
        byFirst.computeIfAbsent(word, first -> new ArrayList<>()).add(phrase);
      }
      if (!choices.contains("=")) {
        return;
      }
    }
  }

  /** The question with every phrase replaced by its meaning. */
  List<Token> plain(List<Token> question) {
    List<Token> plain = new ArrayList<>();
    int at = 0;
    while (at < question.size()) {
      int taken = 0;
      // What was polite at the beginning is no beginning of the question.
      List<Token> rest = plain.isEmpty() ? question.subList(at, question.size()) : question;
      int from = plain.isEmpty() ? 0 : at;
      for (Phrase phrase : byFirst.getOrDefault(question.get(at).text(), List.of())) {
        taken = phrase.length(rest, from);
        if (taken > 0) {
          phrase.meaning().forEach(word -> plain.add(Token.of(word)));
          break;
        }
      }
      if (taken == 0) {
        plain.add(question.get(at));
        taken = 1;
      }
      at += taken;
    }
    return plain;
  }
}
