package dev.ragjourney.crd;

import static dev.ragjourney.budget.Durations.format;

import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.crd.spec.LevelSpec;
import dev.ragjourney.crd.spec.LevelStageSpec;
import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.crd.spec.SemanticCacheSpec;
import dev.ragjourney.crd.spec.StageSpec;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The ladder: order, answers, and the stages and backends that levels name. */
final class LevelRules {
  private final RagJourneySpec spec;
  private final Duration total;
  private final Map<String, StageSpec> stages = new LinkedHashMap<>();
  private final Findings findings;

  private LevelRules(RagJourneySpec spec, Findings findings) {
    this.spec = spec;
    this.total = BudgetRules.total(Values.given(spec.budget()));
    this.findings = findings;
    for (StageSpec stage : DefaultStages.orGiven(spec)) {
      stages.putIfAbsent(Values.given(stage.name()), stage);
    }
  }

  static void check(RagJourneySpec spec, Findings findings) {
    List<LevelSpec> levels = Values.list(spec.fallbackLevels());
    LevelRules rules = new LevelRules(spec, findings);
    rules.kept(levels);
    if (levels.isEmpty()) {
      return;
    }
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < levels.size(); i++) {
      LevelSpec level = levels.get(i);
      String path = "spec.fallbackLevels[" + i + "]";
      String name = Values.given(level.name());
      if (!seen.add(name)) {
        findings.duplicate(path + ".name", name, "level");
      }
      rules.single(path, level);
      rules.stages(path, level);
    }
    rules.order(levels);
    rules.cache(levels);
  }

  /** The level that answers from the semantic cache; null for none. */
  static @Nullable LevelSpec cached(List<LevelSpec> levels) {
    return levels.stream()
        .filter(level -> is(level, AnswerSource.SEMANTIC_CACHE))
        .findFirst()
        .orElse(null);
  }

  private void cache(List<LevelSpec> levels) {
    String first = null;
    for (int i = 0; i < levels.size(); i++) {
      if (is(levels.get(i), AnswerSource.SEMANTIC_CACHE)) {
        if (first != null) {
          findings.conflict(
              "spec.fallbackLevels[" + i + "].answer",
              "level '%s' already answers from the semantic cache; one level is enough."
                  .formatted(first));
        }
        first = Values.given(levels.get(i).name());
      }
    }
    SemanticCacheSpec cache = spec.semanticCache();
    if (cache != null && first == null && !Values.isTrue(cache.upFront())) {
      findings.conflict(
          "spec.semanticCache",
          "nothing answers from the semantic cache; add a level with answer: SemanticCache, or upFront: true.");
    }
  }

  /**
   * Only answers of the two best levels are kept, and none with a tool's text: one of these levels
   * has to do without tools. Of the default levels the second one leaves optional stages out.
   */
  private void kept(List<LevelSpec> levels) {
    List<StageSpec> tools =
        stages.values().stream()
            .filter(stage -> StageType.TOOL.label().equals(stage.type()))
            .toList();
    boolean wanted = spec.semanticCache() != null || cached(levels) != null;
    if (!wanted || tools.isEmpty()) {
      return;
    }
    List<String> names = tools.stream().map(StageSpec::name).map(Values::given).toList();
    boolean some =
        levels.isEmpty()
            ? tools.stream().allMatch(tool -> Values.isTrue(tool.optional()))
            : levels.stream()
                .limit(2)
                .anyMatch(
                    level ->
                        level.answer() == null && Values.list(level.skip()).containsAll(names));
    if (!some) {
      findings.conflict(
          spec.semanticCache() == null ? "spec.fallbackLevels" : "spec.semanticCache",
          "no answer would ever be kept: those with a Tool's text are of the moment, and both of the best levels run a Tool; let the second level skip %s, or leave the cache out."
              .formatted(names));
    }
  }

  private void single(String path, LevelSpec level) {
    if ((level.minRemaining() == null) == (level.answer() == null)) {
      findings.conflict(
          path,
          "level '%s' has %s; give minRemaining to a level that runs stages, or answer to one that does not."
              .formatted(
                  level.name(),
                  level.answer() == null
                      ? "neither minRemaining nor answer"
                      : "both minRemaining and answer"));
    }
    boolean isStatic = is(level, AnswerSource.STATIC);
    if (isStatic && level.message() == null) {
      findings.required(path + ".message", "answer: Static is this text");
    }
    if (!isStatic && level.message() != null) {
      findings.conflict(path + ".message", "message is the text of answer: Static only.");
    }
    if (level.minSimilarity() != null && !is(level, AnswerSource.SEMANTIC_CACHE)) {
      findings.conflict(
          path + ".minSimilarity", "minSimilarity is for answer: SemanticCache only.");
    }
    if (level.answer() != null
        && (level.topK() != null || level.skip() != null || level.stages() != null)) {
      findings.conflict(
          path,
          "level '%s' answers by itself, so that topK, skip and stages mean nothing; leave them out."
              .formatted(level.name()));
    }
    belowTotal(path + ".minRemaining", level.minRemaining());
  }

  private void stages(String path, LevelSpec level) {
    List<String> skip = Values.list(level.skip());
    Set<String> skipped = new HashSet<>();
    for (int i = 0; i < skip.size(); i++) {
      String name = skip.get(i);
      StageSpec stage = stages.get(name);
      if (!skipped.add(name)) {
        findings.duplicate(path + ".skip[" + i + "]", name, "skipped stage");
      }
      if (stage == null) {
        findings.unknown(path + ".skip[" + i + "]", name, "stage", List.copyOf(stages.keySet()));
      } else if (DefaultStages.type(stage) == StageType.GENERATE) {
        findings.conflict(
            path + ".skip[" + i + "]",
            "'%s' makes the answer and cannot be skipped; use a level with answer instead."
                .formatted(name));
      }
    }
    List<LevelStageSpec> changes = Values.list(level.stages());
    Set<String> changed = new HashSet<>();
    for (int i = 0; i < changes.size(); i++) {
      LevelStageSpec change = changes.get(i);
      String at = path + ".stages[" + i + "]";
      String name = Values.given(change.name());
      if (!changed.add(name)) {
        findings.duplicate(at + ".name", name, "changed stage");
      }
      if (skipped.contains(name)) {
        findings.conflict(at, "'%s' is skipped at this level; leave one out.".formatted(name));
      }
      StageSpec stage = stages.get(name);
      if (stage == null) {
        findings.unknown(at + ".name", name, "stage", List.copyOf(stages.keySet()));
      } else {
        change(at, change, stage);
      }
    }
  }

  private void change(String path, LevelStageSpec change, StageSpec stage) {
    if (change.backend() != null) {
      BackendRules.checkUse(path + ".backend", stage, change.backend(), spec, findings);
    }
    belowTotal(path + ".minRemaining", change.minRemaining());
    belowTotal(path + ".floor", change.floor());
    StageType type = DefaultStages.type(stage);
    boolean passages = type == StageType.SEARCH || type == StageType.RERANK;
    boolean prompted = type == StageType.REWRITE || type == StageType.GENERATE;
    onlyFor(path + ".topK", change.topK(), passages, "Search or Rerank", stage);
    onlyFor(path + ".ef", change.ef(), type == StageType.SEARCH, "Search", stage);
    onlyFor(path + ".maxTokens", change.maxTokens(), prompted, "Rewrite or Generate", stage);
    onlyFor(path + ".instructions", change.instructions(), prompted, "Rewrite or Generate", stage);
    onlyFor(
        path + ".reasoningEffort",
        change.reasoningEffort(),
        prompted,
        "Rewrite or Generate",
        stage);
    onlyFor(
        path + ".maxContextTokens",
        change.maxContextTokens(),
        type == StageType.GENERATE,
        "Generate",
        stage);
  }

  private void order(List<LevelSpec> levels) {
    int last = levels.size() - 1;
    if (!is(levels.get(last), AnswerSource.STATIC)) {
      findings.conflict(
          "spec.fallbackLevels[" + last + "]",
          "the last level '%s' is not static; end the ladder with answer: Static and a message, so that something comes back always."
              .formatted(levels.get(last).name()));
    }
    if (levels.getFirst().answer() != null) {
      findings.conflict(
          "spec.fallbackLevels[0]",
          "the first level '%s' answers by itself; begin with the level of full quality, which has minRemaining."
              .formatted(levels.getFirst().name()));
    }
    for (int i = 1; i < levels.size(); i++) {
      LevelSpec above = levels.get(i - 1);
      LevelSpec level = levels.get(i);
      String path = "spec.fallbackLevels[" + i + "]";
      if (is(above, AnswerSource.STATIC)) {
        findings.conflict(
            path,
            "level '%s' comes after a static answer and is never reached.".formatted(level.name()));
      } else if (level.answer() == null && above.answer() != null) {
        findings.conflict(
            path,
            "level '%s' runs stages below a level with answer; levels with answer come last."
                .formatted(level.name()));
      } else if (level.minRemaining() != null && above.minRemaining() != null) {
        Duration mine = Values.duration(level.minRemaining(), Duration.ZERO);
        Duration theirs = Values.duration(above.minRemaining(), Duration.ZERO);
        if (mine.compareTo(theirs) >= 0) {
          findings.conflict(
              path + ".minRemaining",
              "minRemaining %s of level '%s' is not below %s of level '%s' above it; order the levels best first."
                  .formatted(
                      level.minRemaining(), level.name(), above.minRemaining(), above.name()));
        }
      }
    }
  }

  private void belowTotal(String path, @Nullable String value) {
    if (value != null && Values.duration(value, total).compareTo(total) >= 0) {
      findings.conflict(
          path,
          "%s is not below budget.total %s; it could never be met."
              .formatted(value, format(total)));
    }
  }

  private void onlyFor(
      String path, @Nullable Object value, boolean fits, String types, StageSpec stage) {
    if (value != null && !fits) {
      findings.conflict(
          path,
          "it is for a stage of type %s; '%s' is a %s."
              .formatted(types, stage.name(), stage.type()));
    }
  }

  private static boolean is(LevelSpec level, AnswerSource answer) {
    return answer.label().equals(level.answer());
  }
}
