package dev.ragjourney.backends.embedded.minilm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Cuts text into the model's word pieces as uncased BERT does: control characters dropped, accents
 * dropped, lower case, each Chinese character and punctuation mark a word of its own, each word cut
 * into the longest pieces the vocabulary knows.
 *
 * <p>Stops once the wanted number of pieces is there, so a text of any size costs one pass at most.
 */
final class WordPieces {
  private static final String RESOURCE = "/all-minilm-l6-v2-q-tokenizer.json";

  /** A longer word is unknown as a whole: the reference's own limit. */
  private static final int LONGEST_WORD = 100;

  private final Map<String, Integer> inner = new HashMap<>();
  private final Map<String, Integer> first = new HashMap<>();
  private final String[] byId;
  private final int unknown;
  private final int begin;
  private final int end;

  private WordPieces(JsonNode vocabulary) {
    byId = new String[vocabulary.size()];
    vocabulary
        .properties()
        .forEach(
            entry -> {
              String piece = entry.getKey();
              int id = entry.getValue().intValue();
              byId[id] = piece;
              if (piece.startsWith("##")) {
                inner.put(piece.substring(2), id);
              } else {
                first.put(piece, id);
              }
            });
    unknown = vocabulary.required("[UNK]").intValue();
    begin = vocabulary.required("[CLS]").intValue();
    end = vocabulary.required("[SEP]").intValue();
  }

  static WordPieces load() throws IOException {
    try (InputStream json = MiniLm.resource(RESOURCE)) {
      return new WordPieces(JsonMapper.builder().build().readTree(json).at("/model/vocab"));
    }
  }

  /**
   * @param ids of the pieces, the marks at both ends included
   * @param starts where in the text each piece's word part begins; −1 for the marks
   * @param ends where it ends
   */
  // Handed to one reader and never compared.
  @SuppressWarnings("ArrayRecordComponent")
  record Pieces(long[] ids, int[] starts, int[] ends) {}

  String piece(long id) {
    return byId[(int) id];
  }

  /**
   * @param longest the most pieces, the two marks included
   */
  Pieces encode(String text, int longest) {
    return new Cutting(longest).run(text);
  }

  private final class Cutting {
    private final int most;
    private final long[] ids;
    private final int[] starts;
    private final int[] ends;
    private int size;

    private final StringBuilder word = new StringBuilder();
    private final int[] wordStarts = new int[2 * LONGEST_WORD];
    private final int[] wordEnds = new int[2 * LONGEST_WORD];
    private int wordStart = -1;
    private int wordEnd;
    private int wordCharacters;

    Cutting(int longest) {
      most = longest - 1;
      ids = new long[longest];
      starts = new int[longest];
      ends = new int[longest];
    }

    Pieces run(String text) {
      add(begin, -1, -1);
      for (int i = 0; i < text.length() && size < most; ) {
        int character = text.codePointAt(i);
        int next = i + Character.charCount(character);
        if (character < 128) {
          take(Character.toLowerCase(character), i, next);
        } else {
          takeDecomposed(character, i, next);
        }
        i = next;
      }
      endWord();
      add(end, -1, -1);
      return new Pieces(
          Arrays.copyOf(ids, size), Arrays.copyOf(starts, size), Arrays.copyOf(ends, size));
    }

    private void takeDecomposed(int character, int from, int to) {
      boolean chinese = isChinese(character);
      if (chinese) {
        endWord();
      }
      Normalizer.normalize(Character.toString(character), Normalizer.Form.NFD)
          .codePoints()
          .filter(part -> Character.getType(part) != Character.NON_SPACING_MARK)
          .forEach(part -> take(Character.toLowerCase(part), from, to));
      if (chinese) {
        endWord();
      }
    }

    private void take(int character, int from, int to) {
      if (isBlank(character)) {
        endWord();
      } else if (isDropped(character)) {
        return;
      } else if (isPunctuation(character)) {
        endWord();
        append(character, from, to);
        endWord();
      } else {
        append(character, from, to);
      }
    }

    private void append(int character, int from, int to) {
      wordStart = wordStart < 0 ? from : wordStart;
      wordEnd = to;
      if (wordCharacters < LONGEST_WORD) {
        int before = word.length();
        word.appendCodePoint(character);
        Arrays.fill(wordStarts, before, word.length(), from);
        Arrays.fill(wordEnds, before, word.length(), to);
      }
      wordCharacters++;
    }

    private void endWord() {
      if (wordStart >= 0 && size < most) {
        if (wordCharacters > LONGEST_WORD || !addPieces()) {
          add(unknown, wordStart, wordEnd);
        }
      }
      word.setLength(0);
      wordStart = -1;
      wordCharacters = 0;
    }

    /** Whether the vocabulary covers the whole word; if not, nothing is added. */
    private boolean addPieces() {
      int sizeBefore = size;
      int from = 0;
      while (from < word.length()) {
        Map<String, Integer> vocabulary = from == 0 ? first : inner;
        int to = word.length();
        Integer id = null;
        while (to > from && (id = vocabulary.get(word.substring(from, to))) == null) {
          to--;
        }
        if (id == null) {
          size = sizeBefore;
          return false;
        }
        if (size < most) {
          add(id, wordStarts[from], wordEnds[to - 1]);
        }
        from = to;
      }
      return true;
    }

    private void add(int id, int from, int to) {
      ids[size] = id;
      starts[size] = from;
      ends[size] = to;
      size++;
    }
  }

  private static boolean isBlank(int c) {
    return c == '\t' || c == '\n' || c == '\r' || Character.isSpaceChar(c);
  }

  private static boolean isDropped(int c) {
    return c == 0xFFFD
        || switch (Character.getType(c)) {
          case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE ->
              true;
          default -> false;
        };
  }

  private static boolean isPunctuation(int c) {
    if (c < 128) {
      return c > ' ' && c < 127 && !Character.isLetterOrDigit(c);
    }
    return switch (Character.getType(c)) {
      case Character.CONNECTOR_PUNCTUATION,
          Character.DASH_PUNCTUATION,
          Character.START_PUNCTUATION,
          Character.END_PUNCTUATION,
          Character.INITIAL_QUOTE_PUNCTUATION,
          Character.FINAL_QUOTE_PUNCTUATION,
          Character.OTHER_PUNCTUATION ->
          true;
      default -> false;
    };
  }

  private static boolean isChinese(int c) {
    return (c >= 0x4E00 && c <= 0x9FFF)
        || (c >= 0x3400 && c <= 0x4DBF)
        || (c >= 0x20000 && c <= 0x2A6DF)
        || (c >= 0x2A700 && c <= 0x2B73F)
        || (c >= 0x2B740 && c <= 0x2B81F)
        || (c >= 0x2B920 && c <= 0x2CEAF)
        || (c >= 0xF900 && c <= 0xFAFF)
        || (c >= 0x2F800 && c <= 0x2FA1F);
  }
}
