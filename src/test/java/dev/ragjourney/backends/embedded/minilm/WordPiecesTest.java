package dev.ragjourney.backends.embedded.minilm;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our word pieces against those of the tokenizer that the model was published with. */
class WordPiecesTest {
  private static final int LONGEST = 64;

  private static HuggingFaceTokenizer reference;
  private static WordPieces ours;

  @BeforeAll
  static void load() throws IOException {
    System.setProperty("ai.djl.offline", "true");
    System.setProperty("OPT_OUT_TRACKING", "true");
    Map<String, String> options =
        Map.of("padding", "false", "truncation", "true", "maxLength", String.valueOf(LONGEST));
    try (InputStream json = MiniLm.resource("/all-minilm-l6-v2-q-tokenizer.json")) {
      reference = HuggingFaceTokenizer.newInstance(json, options);
    }
    ours = WordPieces.load();
  }

  @AfterAll
  static void close() {
    reference.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " \t\r\n ",
        "How do I install a package?",
        "unaffable UNAFFABLE re-install's e.g. U.S.A.",
        "Ünïcödé naïve Ångström İstanbul straße œuvre ﬁne Ⅷ ½",
        "漢字かな交じり文 한국어 русский العربية हिन्दी ไทย",
        "\u00ad\u200b\u200d soft\u00adhyphen zero\u200bwidth\u00a0blank\u2003em\u0085next",
        "C++ && a|b ~`^$ <tag/> {\"a\":[1,2]} \\ ? * :",
        "3.14159 1,000,000 2026-01-01T00:00:00Z 50€ ©®™ … – — “quoted” ‘q’",
        "pneumonoultramicroscopicsilicovolcanoconiosis",
        "[CLS] [SEP] [MASK]x ##ing",
        "e\u0301 combining a\u0308\u0323"
      })
  void pieces_are_those_of_the_reference(String text) {
    if (!text.contains("[")) {
      assertSame(text);
    } else {
      // A person's text is only text: it cannot spell the model's own marks.
      assertThat(ours.encode(text, LONGEST).ids())
          .containsOnlyOnce(101L, 102L)
          .doesNotContain(103L);
    }
  }

  /** First and last characters of ranges on which old and new versions of Unicode agree. */
  private static final char[][] RANGES = {
    {1, 0x7F},
    {1, 0x7F},
    {0x80, 0x24F},
    {0x300, 0x36F},
    {0x400, 0x52F},
    {0x2000, 0x206F},
    {0x20A0, 0x20BD},
    {0x2100, 0x218B},
    {0x3000, 0x30FF},
    {0x4E00, 0x9FCC},
    {0xAC00, 0xD7A3},
    {0xE000, 0xE0FF},
    {0xF900, 0xFA6D},
    {0xFE30, 0xFE6F},
    {0xFF01, 0xFFEE}
  };

  private static String randomText(Random random) {
    StringBuilder text = new StringBuilder();
    int length = 1 + random.nextInt(60);
    while (text.length() < length) {
      char[] range = RANGES[random.nextInt(RANGES.length)];
      text.append((char) (range[0] + random.nextInt(range[1] - range[0] + 1)));
      if (random.nextInt(8) == 0) {
        text.append(' ');
      }
    }
    return text.toString();
  }

  @Test
  void pieces_of_1000_random_texts_are_those_of_the_reference() {
    Random random = new Random(7);
    for (int i = 0; i < 1000; i++) {
      assertSame(randomText(random));
    }
  }

  private static void assertSame(String text) {
    Encoding expected = reference.encode(text);
    WordPieces.Pieces actual = ours.encode(text, LONGEST);
    assertThat(actual.ids()).as(text).isEqualTo(expected.getIds());
  }

  @Test
  void each_piece_knows_its_place_in_the_text() {
    String text = "Hé 😀 naïve unaffable";
    WordPieces.Pieces pieces = ours.encode(text, LONGEST);
    assertThat(
            IntStream.range(0, pieces.ids().length)
                .filter(i -> pieces.starts()[i] >= 0)
                .mapToObj(i -> text.substring(pieces.starts()[i], pieces.ends()[i])))
        .containsExactly("Hé", "😀", "naïve", "una", "ffa", "ble");
  }

  @Test
  void a_text_of_a_megabyte_gives_no_more_pieces_than_wanted() {
    for (String unit : new String[] {"word ", "x", " ", "漢", "\u0301", ". "}) {
      String text = unit.repeat((1 << 20) / unit.length());
      assertThat(ours.encode(text, LONGEST).ids().length)
          .as("a megabyte of '%s'", unit)
          .isLessThanOrEqualTo(LONGEST);
    }
  }

  @Test
  void a_word_longer_than_100_characters_is_unknown() {
    assertSame("a".repeat(100));
    assertSame("a".repeat(101) + " b");
  }
}
