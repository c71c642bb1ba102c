package dev.ragjourney.backends.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.Prompt;
import dev.ragjourney.pipeline.SearchQuery;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Real questions on a real handbook: the FAQ that the Debian package debian-faq installs. */
class DebianFaqIT {
  private static final Path FAQ = Path.of("/usr/share/doc/debian/FAQ");

  /** Question, and the number of the section that answers it. */
  private static final Map<String, String> QUESTIONS = new LinkedHashMap<>();

  static {
    QUESTIONS.put("Where does the word Debian come from and how do you say it?", "1.7.");
    QUESTIONS.put("Which processor architectures are supported?", "4.1.");
    QUESTIONS.put("My wifi card is not recognised, what can I do?", "5.14.");
    QUESTIONS.put("Which film gave the releases their names?", "6.2.2.");
    QUESTIONS.put("What is a virtual package?", "7.8.");
    QUESTIONS.put("How do I see which packages are installed on my computer?", "8.3.");
    QUESTIONS.put("Can I delete the downloaded deb files to free disk space?", "9.3.");
    QUESTIONS.put("How do I remove an old kernel?", "10.4.");
    QUESTIONS.put("Where do I report a bug?", "12.5.");
    QUESTIONS.put("Am I allowed to sell Debian CDs?", "14.1.");
  }

  @Test
  void nine_of_ten_questions_have_their_source_among_the_first_three() throws Exception {
    boolean installed = Files.isDirectory(FAQ);
    if (!installed) {
      System.err.println("LEFT OUT: " + FAQ + " is missing; install the package debian-faq");
    }
    assumeTrue(installed, "the package debian-faq is not installed");
    try (EmbeddedBackends backends = EmbeddedBackends.open(EmbeddedSettings.of(FAQ, List.of()))) {
      await().atMost(Duration.ofMinutes(5)).until(() -> backends.progress().ready());
      assertThat(backends.progress())
          .isInstanceOfSatisfying(
              IndexProgress.Ready.class,
              ready -> {
                assertThat(ready.documents()).isGreaterThanOrEqualTo(16);
                assertThat(ready.passages()).isBetween(150, 1000);
                assertThat(ready.problems()).isEmpty();
              });
      List<String> missed = new ArrayList<>();
      for (Map.Entry<String, String> question : QUESTIONS.entrySet()) {
        List<Passage> best = reranked(backends, question.getKey());
        if (best.stream().noneMatch(p -> p.title().contains(" › " + question.getValue()))) {
          missed.add(question.getKey() + " → " + best.stream().map(Passage::title).toList());
        }
        String answer = answer(backends, question.getKey(), best);
        assertThat(answer).as(question.getKey()).containsPattern("\\[[123]]\n\n\\[[123]] Chapter");
      }
      assertThat(missed).as("questions without their source").hasSizeLessThanOrEqualTo(1);
    }
  }

  private static List<Passage> reranked(EmbeddedBackends backends, String question)
      throws Exception {
    float[] vector = backends.embedder().embed(Calls.patient(), question);
    SearchQuery query = new SearchQuery(question, vector, 10, false);
    List<Passage> found = backends.search().search(Calls.patient(), query).passages();
    List<Passage> best = backends.reranker().rerank(Calls.patient(), question, found).passages();
    return best.subList(0, 3);
  }

  private static String answer(EmbeddedBackends backends, String question, List<Passage> best)
      throws Exception {
    StringBuilder text = new StringBuilder();
    Prompt prompt = new Prompt(question, best, "", false, null, null);
    backends.generator().generate(Calls.patient(), prompt, text::append);
    return text.toString();
  }
}
