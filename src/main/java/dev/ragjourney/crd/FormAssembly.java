package dev.ragjourney.crd;

import dev.ragjourney.budget.StageType;
import dev.ragjourney.crd.parsed.StageForm;
import dev.ragjourney.crd.spec.LevelSpec;
import dev.ragjourney.crd.spec.LevelStageSpec;
import dev.ragjourney.crd.spec.PromptSpec;
import dev.ragjourney.crd.spec.StageFallbackSpec;
import dev.ragjourney.crd.spec.StageSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The form in which a level runs a stage.
 *
 * @param stages of the journey, in order
 */
record FormAssembly(List<StageAssembly> stages) {
  static final String FULL = "v0";
  private static final String FALLBACK = "fallback";
  private static final String SPECULATIVE = "speculative";
  private static final LevelStageSpec UNCHANGED =
      new LevelStageSpec("unchanged", null, null, null, null, null, null, null, null, null);
  private static final LevelSpec NO_LEVEL =
      new LevelSpec("declared", null, null, null, null, null, null, null, null);

  /** As the stage declares it, whatever the level. */
  StageForm declared(StageAssembly stage) {
    return at(NO_LEVEL, stage);
  }

  StageForm at(LevelSpec level, StageAssembly stage) {
    StageSpec spec = stage.spec();
    LevelStageSpec change =
        Values.list(level.stages()).stream()
            .filter(candidate -> stage.name().equals(candidate.name()))
            .findFirst()
            .orElse(UNCHANGED);
    PromptSpec prompt = spec.prompt() == null ? new PromptSpec(null, null, null) : spec.prompt();
    return new StageForm(
        FULL,
        or(change.backend(), stage.backend()),
        topK(level, change, stage),
        change.ef(),
        false,
        change.maxTokens() == null ? spec.maxTokens() : change.maxTokens(),
        change.maxContextTokens() == null ? spec.maxContextTokens() : change.maxContextTokens(),
        or(change.instructions(), or(prompt.instructions(), "")),
        or(prompt.noContextInstructions(), ""),
        change.reasoningEffort());
  }

  /** The declared form on the fallback's backend; a keyword search leaves the vector out. */
  @Nullable StageForm fallback(StageAssembly stage) {
    StageFallbackSpec fallback = stage.spec().fallback();
    if (fallback == null) {
      return null;
    }
    StageForm form = declared(stage);
    return other(
        FALLBACK, form, or(fallback.backend(), form.backend()), "Keyword".equals(fallback.mode()));
  }

  /** The declared form without the vector. */
  @Nullable StageForm speculative(StageAssembly stage) {
    if (stage.spec().speculative() == null) {
      return null;
    }
    StageForm form = declared(stage);
    return other(SPECULATIVE, form, form.backend(), true);
  }

  private static StageForm other(String name, StageForm form, String backend, boolean keywordOnly) {
    return new StageForm(
        name,
        backend,
        form.topK(),
        form.ef(),
        keywordOnly,
        form.maxTokens(),
        form.maxContextTokens(),
        form.instructions(),
        form.noContextInstructions(),
        form.reasoningEffort());
  }

  /**
   * A search's own number, else the level's, else the stage's. A rerank keeps what the searches of
   * the level find, or fewer where that is declared.
   */
  private int topK(LevelSpec level, LevelStageSpec change, StageAssembly stage) {
    if (change.topK() != null) {
      return change.topK();
    }
    if (stage.type() == StageType.SEARCH) {
      return level.topK() == null ? searchTopK(stage.spec()) : level.topK();
    }
    if (stage.type() != StageType.RERANK) {
      return 0;
    }
    int found =
        stages.stream()
            .filter(other -> other.type() == StageType.SEARCH)
            .mapToInt(search -> at(level, search).topK())
            .max()
            .orElse(Defaults.TOP_K);
    int kept = stage.spec().topK() == null ? found : Math.min(stage.spec().topK(), found);
    return level.topK() == null ? kept : Math.min(kept, level.topK());
  }

  private static int searchTopK(StageSpec search) {
    return search.topK() == null ? Defaults.TOP_K : search.topK();
  }

  private static String or(@Nullable String given, String otherwise) {
    return given == null ? otherwise : given;
  }
}
