package dev.ragjourney.backends.embedded;

import dev.ragjourney.backends.embedded.minilm.TextEncoder;
import dev.ragjourney.pipeline.Passage;
import java.io.IOException;
import java.util.List;

/** A small corpus about the rules of an office, indexed. */
final class HouseRules implements AutoCloseable {
  static final Passage LEAVE =
      passage(
          "leave",
          "Annual leave",
          "Every employee gets 25 days of paid leave a year. Up to five unused days may be carried"
              + " over until the end of March. Ask your team lead two weeks ahead.");
  static final Passage SICK =
      passage(
          "sick",
          "Sickness",
          "If you are ill, phone the front desk before nine o'clock. From the third day on a"
              + " doctor's note is needed.");
  static final Passage LAPTOP =
      passage(
          "laptop",
          "Computers",
          "A stolen laptop is reported to the security team at once. The hard disk is encrypted,"
              + " so nobody can read it.");
  static final Passage COFFEE =
      passage(
          "coffee",
          "Kitchen",
          "The coffee machine is cleaned on Fridays. Cups go into the dishwasher.");
  static final Passage TRAVEL =
      passage(
          "travel",
          "Business trips",
          "Trains are preferred to planes. Hotels up to 120 euros a night need no approval. Keep"
              + " every receipt and hand it in within a month.");
  static final List<Passage> ALL = List.of(LEAVE, SICK, LAPTOP, COFFEE, TRAVEL);

  final TextEncoder encoder;
  final EmbeddedIndex index;
  final VectorSource vectors;

  HouseRules() throws IOException, InterruptedException {
    encoder = TextEncoder.load(1);
    index = new IndexBuilder(encoder, 1 << 24, done -> {}).build(ALL);
    vectors = new VectorSource(() -> encoder, () -> index);
  }

  private static Passage passage(String name, String title, String text) {
    return new Passage(name + ".txt#1", title, text, 0);
  }

  @Override
  public void close() throws IOException {
    index.close();
    encoder.close();
  }
}
