package dev.ragjourney.backends.openai;

import dev.ragjourney.backends.http.WarmUp;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.Embedder;
import dev.ragjourney.pipeline.Generator;
import dev.ragjourney.pipeline.Prompt;
import dev.ragjourney.plan.BackendPlan;
import dev.ragjourney.support.Backends;
import dev.ragjourney.support.scripted.ScriptedBackend;
import java.nio.file.Path;
import java.util.List;

/**
 * Times the first calls of a fresh JVM, with or without warm-up. Run it once for each: {@code java
 * … ColdStartBenchmark cold}, {@code java … ColdStartBenchmark warm}.
 */
final class ColdStartBenchmark {
  private ColdStartBenchmark() {}

  public static void main(String... arguments) throws Exception {
    boolean warm = arguments.length > 0 && arguments[0].equals("warm");
    try (ScriptedBackend server = ScriptedBackend.start()) {
      BackendPlan plan = Backends.plan("llm", "openai", server.url("/v1"), "model", "m");
      long start = System.nanoTime();
      try (OpenAiBackend backend = OpenAiBackend.open(plan, Path.of("/none"))) {
        start = tell("open", start);
        if (warm) {
          backend.warmUp();
          start = tell("warm-up", start);
        }
        Generator generator = (Generator) backend.port(StageType.GENERATE);
        Embedder embedder = (Embedder) backend.port(StageType.EMBED);
        Prompt prompt = new Prompt("When?", List.of(), "", false, 50, null);
        for (int i = 1; i <= 3; i++) {
          generator.generate(WarmUp.call(), prompt, token -> {});
          start = tell("answer " + i, start);
        }
        for (int i = 1; i <= 3; i++) {
          embedder.embed(WarmUp.call(), "When?");
          start = tell("embedding " + i, start);
        }
      }
    }
  }

  private static long tell(String what, long start) {
    long now = System.nanoTime();
    System.out.printf("%-12s %8.1f ms%n", what, (now - start) / 1e6);
    return System.nanoTime();
  }
}
