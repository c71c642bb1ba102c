package dev.ragjourney.server;

import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.Completion;
import dev.ragjourney.pipeline.Embedder;
import dev.ragjourney.pipeline.Generator;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.PassageSearch;
import dev.ragjourney.pipeline.PassagesFound;
import dev.ragjourney.pipeline.Reranker;
import dev.ragjourney.pipeline.Rewriter;
import dev.ragjourney.pipeline.StagePort;
import dev.ragjourney.pipeline.Tool;
import dev.ragjourney.plan.BackendPlan;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Backends that answer at once, and tell what was opened and closed. */
final class FakeBackends implements BackendFactory {
  static final List<Passage> PASSAGES =
      List.of(
          new Passage("a.txt#1", "A", "Water boils at 100 degrees.", 2.0),
          new Passage("b.txt#4", "B", "Ice melts at 0 degrees.", 1.0));
  static final List<String> TOKENS = List.of("Water ", "boils at ", "100 degrees\n.");

  final List<BackendUse> opened = new CopyOnWriteArrayList<>();
  final AtomicInteger closed = new AtomicInteger();
  final List<String> missing = new CopyOnWriteArrayList<>();
  final Map<StageType, StagePort> ports = new ConcurrentHashMap<>();
  final AtomicInteger warmUps = new AtomicInteger();

  /** What the backends would read now. */
  volatile String contents = "";

  FakeBackends() {
    ports.put(StageType.REWRITE, (Rewriter) (call, question, earlier, instructions) -> question);
    ports.put(StageType.EMBED, (Embedder) (call, text) -> new float[] {1, 0});
    ports.put(
        StageType.SEARCH,
        (PassageSearch)
            (call, query) ->
                PassagesFound.whole(PASSAGES.subList(0, Math.min(PASSAGES.size(), query.topK()))));
    ports.put(
        StageType.RERANK, (Reranker) (call, question, passages) -> PassagesFound.whole(passages));
    ports.put(
        StageType.GENERATE,
        (Generator)
            (call, prompt, sink) -> {
              for (String token : TOKENS) {
                sink.accept(token);
              }
              return new Completion("stop", 12, 3);
            });
    ports.put(StageType.TOOL, (Tool) (call, input) -> input.question());
  }

  @Override
  public String contents(BackendPlan plan, Set<StageType> serves) {
    return contents;
  }

  @Override
  public Backend open(BackendUse use, List<String> questions) {
    if (use.plan().kind().equals("unknown")) {
      throw new IllegalArgumentException("backends[" + use.plan().name() + "] is of no known kind");
    }
    opened.add(use);
    return new Backend() {
      @Override
      public StagePort port(StageType type) {
        return ports.get(type);
      }

      @Override
      public List<String> missing() {
        return List.copyOf(missing);
      }

      @Override
      public void warmUp() {
        warmUps.incrementAndGet();
      }

      @Override
      public void close() {
        closed.incrementAndGet();
      }
    };
  }
}
