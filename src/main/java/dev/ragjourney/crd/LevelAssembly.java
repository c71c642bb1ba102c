package dev.ragjourney.crd;

import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.FallbackLevel;
import dev.ragjourney.budget.LevelStage;
import dev.ragjourney.crd.parsed.ParsedLevel;
import dev.ragjourney.crd.parsed.ParsedStage;
import dev.ragjourney.crd.parsed.StageForm;
import dev.ragjourney.crd.spec.LevelSpec;
import dev.ragjourney.crd.spec.LevelStageSpec;
import dev.ragjourney.crd.spec.RagJourneySpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The ladder, and the forms in which its levels run the stages. */
final class LevelAssembly {
  private final List<LevelSpec> levels;
  private final List<StageAssembly> stages;
  private final FormAssembly forms;

  LevelAssembly(
      RagJourneySpec spec, List<StageAssembly> stages, Defaults defaults, Duration reserve) {
    this.stages = stages;
    this.forms = new FormAssembly(stages);
    this.levels =
        spec.fallbackLevels() == null
            ? DefaultLevels.of(stages, forms, defaults, reserve, spec.semanticCache() != null)
            : spec.fallbackLevels();
  }

  List<FallbackLevel> budgetLevels() {
    return levels.stream()
        .map(
            level ->
                new FallbackLevel(
                    Values.given(level.name()),
                    answer(level),
                    Values.duration(level.minRemaining(), Duration.ZERO),
                    Values.list(level.skip()),
                    Values.list(level.stages()).stream()
                        .filter(change -> change.minRemaining() != null || change.floor() != null)
                        .map(LevelAssembly::times)
                        .toList()))
        .toList();
  }

  /** The first level that runs a stage gives its {@code v0}; equal forms share a name. */
  List<ParsedStage> stages() {
    return stages.stream()
        .map(
            stage ->
                new ParsedStage(
                    stage.name(),
                    List.copyOf(variants(stage).keySet()),
                    forms.fallback(stage),
                    forms.speculative(stage)))
        .toList();
  }

  List<ParsedLevel> parsedLevels() {
    List<Map<String, String>> used = new ArrayList<>();
    levels.forEach(level -> used.add(new LinkedHashMap<>()));
    for (StageAssembly stage : stages) {
      variants(stage)
          .forEach(
              (form, at) -> {
                if (!form.variant().equals(FormAssembly.FULL)) {
                  at.forEach(level -> used.get(level).put(stage.name(), form.variant()));
                }
              });
    }
    List<ParsedLevel> parsed = new ArrayList<>();
    for (int i = 0; i < levels.size(); i++) {
      parsed.add(
          new ParsedLevel(Values.given(levels.get(i).name()), used.get(i), levels.get(i).hint()));
    }
    return List.copyOf(parsed);
  }

  String staticMessage() {
    String message = levels.getLast().message();
    return message == null ? Defaults.STATIC_MESSAGE : message;
  }

  /** Each form of the stage, with the indexes of the levels that use it. */
  private Map<StageForm, List<Integer>> variants(StageAssembly stage) {
    Map<StageForm, List<Integer>> found = new LinkedHashMap<>();
    for (int i = 0; i < levels.size(); i++) {
      LevelSpec level = levels.get(i);
      if (answer(level) == AnswerSource.STAGES
          && !Values.list(level.skip()).contains(stage.name())) {
        found.computeIfAbsent(forms.at(level, stage), form -> new ArrayList<>()).add(i);
      }
    }
    if (found.isEmpty()) {
      found.put(forms.declared(stage), List.of());
    }
    Map<StageForm, List<Integer>> named = new LinkedHashMap<>();
    found.forEach((form, at) -> named.put(form.as("v" + named.size()), at));
    return named;
  }

  private static LevelStage times(LevelStageSpec change) {
    return new LevelStage(
        Values.given(change.name()),
        Values.duration(change.minRemaining()),
        Values.duration(change.floor()));
  }

  private static AnswerSource answer(LevelSpec level) {
    return RebalanceAssembly.labelled(
        AnswerSource.values(), AnswerSource::label, level.answer(), AnswerSource.STAGES);
  }
}
