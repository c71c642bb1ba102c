package dev.ragjourney.pipeline;

import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.CountTo;
import dev.ragjourney.budget.Durations;
import dev.ragjourney.budget.FallbackBudget;
import dev.ragjourney.budget.FallbackLevel;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LevelStage;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds routes for tests, with durations as the resource spells them. */
final class Routes {
  static final String SORRY = "Try again in a moment.";
  static final String HINT = "Quick answer: some detail may be missing.";

  private final String total;
  private CountTo countTo = CountTo.FIRST_TOKEN;
  private String reserve = "50ms";
  private String streamIdle = "30s";
  private String streamMax = "5m";
  private boolean refuse;
  private final List<StageBudget> stages = new ArrayList<>();
  private final List<FallbackLevel> levels = new ArrayList<>();
  private final Map<String, StageForm> forms = new HashMap<>();
  private final Map<String, StageForm> fallbacks = new HashMap<>();
  private final Map<String, Map<String, StageForm>> levelForms = new HashMap<>();

  private Routes(String total) {
    this.total = total;
  }

  static Routes of(String total) {
    return new Routes(total);
  }

  Routes lastToken() {
    countTo = CountTo.LAST_TOKEN;
    return this;
  }

  Routes reserve(String duration) {
    reserve = duration;
    return this;
  }

  Routes stream(String idle, String max) {
    streamIdle = idle;
    streamMax = max;
    return this;
  }

  Routes refuseWithoutContext() {
    refuse = true;
    return this;
  }

  /**
   * @param cap null for none
   */
  Routes stage(String name, StageType type, @Nullable String cap, StagePort port) {
    return stage(name, type, cap, false, "0s", port);
  }

  Routes optional(String name, StageType type, String cap, StagePort port) {
    return stage(name, type, cap, true, "0s", port);
  }

  Routes generate(String floor, Generator port) {
    return stage("generate", StageType.GENERATE, null, false, floor, port);
  }

  private Routes stage(
      String name,
      StageType type,
      @Nullable String cap,
      boolean optional,
      String floor,
      StagePort port) {
    Duration limit = cap == null ? null : Durations.parse(cap);
    stages.add(
        new StageBudget(
            name,
            type,
            optional,
            null,
            limit,
            limit,
            Durations.parse(floor),
            null,
            null,
            null,
            Duration.ofMillis(5),
            null,
            null,
            null));
    forms.put(name, form(name, port));
    return this;
  }

  /** Gives the stage added last a fallback. */
  Routes fallback(String cap, String minRemaining, StagePort port) {
    return fallback(cap, minRemaining, 1, false, port);
  }

  Routes fallback(
      String cap, String minRemaining, double maxRatio, boolean cancelPrimary, StagePort port) {
    StageBudget last = stages.removeLast();
    stages.add(
        new StageBudget(
            last.name(),
            last.type(),
            last.optional(),
            last.group(),
            last.cap(),
            last.declaredCap(),
            last.floor(),
            last.expectedP50(),
            last.expectedP95(),
            last.degradeAfter(),
            last.minUseful(),
            new FallbackBudget(
                Durations.parse(cap), Durations.parse(minRemaining), maxRatio, cancelPrimary),
            null,
            null));
    fallbacks.put(last.name(), form(last.name() + "-fallback", port));
    return this;
  }

  /** Gives the stage added last a fail-over point. */
  Routes degradeAfter(String duration) {
    StageBudget last = stages.removeLast();
    stages.add(
        new StageBudget(
            last.name(),
            last.type(),
            last.optional(),
            last.group(),
            last.cap(),
            last.declaredCap(),
            last.floor(),
            last.expectedP50(),
            last.expectedP95(),
            Durations.parse(duration),
            last.minUseful(),
            last.fallback(),
            null,
            null));
    return this;
  }

  Routes level(String name, String minRemaining, List<String> skip, LevelStage... changes) {
    levels.add(
        new FallbackLevel(
            name, AnswerSource.STAGES, Durations.parse(minRemaining), skip, List.of(changes)));
    return this;
  }

  /** Another form of a stage at the level added last. */
  Routes levelForm(String stage, StageForm form) {
    levelForms.computeIfAbsent(levels.getLast().name(), n -> new HashMap<>()).put(stage, form);
    return this;
  }

  static StageForm form(String backend, StagePort port) {
    return new StageForm("v0", backend, port, 0, false, null, null, "", "", null);
  }

  static StageForm topK(StageForm form, int topK) {
    return new StageForm(
        form.variant(), form.backend(), form.port(), topK, false, null, null, "", "", null);
  }

  JourneyBudget budget() {
    List<FallbackLevel> all = new ArrayList<>(levels);
    if (all.isEmpty()) {
      all.add(new FallbackLevel("full", AnswerSource.STAGES, Duration.ZERO, List.of(), List.of()));
    }
    all.add(new FallbackLevel("sorry", AnswerSource.STATIC, Duration.ZERO, List.of(), List.of()));
    return new JourneyBudget(
        Durations.parse(total),
        countTo,
        Durations.parse(reserve),
        Duration.ofMillis(200),
        Durations.parse(streamIdle),
        Durations.parse(streamMax),
        stages,
        all);
  }

  Route route() {
    JourneyBudget budget = budget();
    List<StageRoute> routes = new ArrayList<>();
    for (StageBudget stage : budget.stages()) {
      List<StageForm> byLevel = new ArrayList<>();
      StageForm form = forms.get(stage.name());
      for (FallbackLevel level : budget.levels()) {
        form = levelForms.getOrDefault(level.name(), Map.of()).getOrDefault(stage.name(), form);
        byLevel.add(form);
      }
      routes.add(new StageRoute(stage.name(), byLevel, fallbacks.get(stage.name())));
    }
    return new Route("shop", "faq", 1, budget, routes, SORRY, HINT, refuse);
  }
}
