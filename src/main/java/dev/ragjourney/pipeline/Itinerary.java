package dev.ragjourney.pipeline;

import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.BudgetTable;
import dev.ragjourney.budget.FallbackLevel;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A route made ready once: its budget as a table, and what is counted across journeys. */
final class Itinerary {
  private final Route route;
  private final BudgetTable table;
  private final boolean[][] runs;
  private final boolean[] leftOut;
  private final int startLevel;
  private final int searchStage;
  private final List<String> drillable;
  private final int embedStage;
  private final int cacheLevel;
  private final Map<String, StageLimits> limits;
  private final Map<String, GenerationPace> paces;
  private final Map<String, BackendLimit> backends;

  private Itinerary(
      Route route,
      Map<String, StageLimits> limits,
      Map<String, GenerationPace> paces,
      Map<String, BackendLimit> backends) {
    this.route = route;
    this.table = BudgetTable.of(route.budget());
    this.limits = limits;
    this.paces = paces;
    this.backends = backends;
    int stages = route.budget().stages().size();
    if (stages != route.stages().size()) {
      throw new IllegalArgumentException("A route has one stage for each of its budget's.");
    }
    for (int s = 0; s < stages; s++) {
      checkForms(route.budget(), s, route.stages().get(s));
    }
    runs = new boolean[route.budget().levels().size()][stages];
    int search = -1;
    for (int s = 0; s < stages; s++) {
      StageBudget stage = route.budget().stages().get(s);
      if (stage.type() == StageType.SEARCH) {
        search = s;
      }
      for (int l = 0; l < runs.length; l++) {
        FallbackLevel level = route.budget().levels().get(l);
        runs[l][s] = level.answer() == AnswerSource.STAGES && !level.skip().contains(stage.name());
      }
    }
    leftOut = new boolean[stages];
    for (int s = 0; s < stages; s++) {
      leftOut[s] = route.budget().leaves().stages().contains(budget(s).name());
    }
    startLevel = route.budget().startLevel();
    searchStage = search;
    drillable = Drills.drillable(route);
    embedStage = first(stages, s -> budget(s).type() == StageType.EMBED);
    cacheLevel = first(runs.length, l -> level(l).answer() == AnswerSource.SEMANTIC_CACHE);
  }

  private static int first(int end, IntPredicate wanted) {
    return IntStream.range(0, end).filter(wanted).findFirst().orElse(-1);
  }

  /**
   * @param time that breakers go by
   * @param before whose counts live on; null for none
   * @throws IllegalArgumentException if the route's parts do not belong together
   */
  static Itinerary of(Route route, MonotonicTime time, @Nullable Itinerary before) {
    Map<String, StageLimits> limits = new HashMap<>();
    for (int s = 0; s < route.budget().stages().size() && s < route.stages().size(); s++) {
      StageBudget stage = route.budget().stages().get(s);
      limits.put(
          stage.name(),
          StageLimits.of(
              stage,
              route.stages().get(s),
              route.policy().learns(),
              time,
              before == null ? null : before.limits.get(stage.name())));
    }
    return new Itinerary(route, Map.copyOf(limits), paces(route, before), backends(route, before));
  }

  private static Map<String, GenerationPace> paces(Route route, @Nullable Itinerary before) {
    Map<String, GenerationPace> paces = new HashMap<>();
    for (StageRoute stage : route.stages()) {
      for (StageForm form : stage.forms()) {
        if (form.port() instanceof Generator) {
          GenerationPace old = before == null ? null : before.paces.get(paceOf(form));
          paces.putIfAbsent(paceOf(form), old == null ? new GenerationPace() : old);
        }
      }
    }
    return Map.copyOf(paces);
  }

  private static Map<String, BackendLimit> backends(Route route, @Nullable Itinerary before) {
    Map<String, BackendLimit> backends = new HashMap<>();
    for (StageRoute stage : route.stages()) {
      for (StageForm form : stage.forms()) {
        int limit = route.backendLimits().getOrDefault(form.backend(), Integer.MAX_VALUE);
        BackendLimit old = before == null ? null : before.backends.get(form.backend());
        backends.putIfAbsent(form.backend(), old == null ? new BackendLimit(limit) : old);
        if (old != null) {
          old.moveTo(limit);
        }
      }
    }
    return Map.copyOf(backends);
  }

  private static String paceOf(StageForm form) {
    return form.backend() + "/" + form.variant();
  }

  private static void checkForms(JourneyBudget budget, int stage, StageRoute route) {
    StageBudget of = budget.stages().get(stage);
    if (!route.name().equals(of.name()) || route.formByLevel().size() != budget.levels().size()) {
      throw new IllegalArgumentException(
          "The stage " + of.name() + " needs a route of its name with one form for each level.");
    }
    if ((of.fallback() == null) != (route.fallback() == null)) {
      throw new IllegalArgumentException(
          "The stage " + of.name() + " has its fallback's budget or its form, but not both.");
    }
    StageForm speculative = route.speculative();
    if (speculative != null && (of.type() != StageType.SEARCH || !speculative.keywordOnly())) {
      throw new IllegalArgumentException(
          "What starts with the question for the stage " + of.name() + " is no keyword search.");
    }
    for (StageForm form : route.forms()) {
      if (!serves(form.port(), of.type())) {
        throw new IllegalArgumentException(
            "The backend %s cannot serve the stage %s of type %s."
                .formatted(form.backend(), of.name(), of.type().label()));
      }
    }
  }

  private static boolean serves(StagePort port, StageType type) {
    return switch (type) {
      case REWRITE -> port instanceof Rewriter;
      case EMBED -> port instanceof Embedder;
      case SEARCH -> port instanceof PassageSearch;
      case RERANK -> port instanceof Reranker;
      case GENERATE -> port instanceof Generator;
      case TOOL -> port instanceof Tool;
    };
  }

  Route route() {
    return route;
  }

  BudgetTable table() {
    return table;
  }

  int stages() {
    return route.stages().size();
  }

  StageBudget budget(int stage) {
    return route.budget().stages().get(stage);
  }

  StageRoute stage(int stage) {
    return route.stages().get(stage);
  }

  StageForm form(int stage, int level) {
    return route.stages().get(stage).formByLevel().get(level);
  }

  FallbackLevel level(int level) {
    return route.budget().levels().get(level);
  }

  int lastLevel() {
    return runs.length - 1;
  }

  boolean answersFromStages(int level) {
    return level(level).answer() == AnswerSource.STAGES;
  }

  boolean runs(int stage, int level) {
    return runs[level][stage];
  }

  /** The plan leaves the stage out. */
  boolean leftOut(int stage) {
    return leftOut[stage];
  }

  /** The level that the plan begins at. */
  int startLevel() {
    return startLevel;
  }

  /** The stage runs at the better level, and at the other one not at all or in another form. */
  boolean differs(int stage, int better, int other) {
    return runs(stage, better)
        && (!runs(stage, other) || !form(stage, better).equals(form(stage, other)));
  }

  boolean searches() {
    return searchStage >= 0;
  }

  /** Of the stages that search, the last; −1 where none does. */
  int searchStage() {
    return searchStage;
  }

  /** The first stage that embeds; −1 where none does. */
  int embedStage() {
    return embedStage;
  }

  /** The level that answers from the cache; −1 where none does. */
  int cacheLevel() {
    return cacheLevel;
  }

  /** Stages that may be drilled without being asked for. */
  List<String> drillable() {
    return drillable;
  }

  /** The most passages that a search of the level wants; 0 for no limit. */
  int topK(int level) {
    int most = 0;
    for (int s = 0; s < stages(); s++) {
      if (budget(s).type() == StageType.SEARCH) {
        int topK = form(s, level).topK();
        if (topK == 0) {
          return 0;
        }
        most = Math.max(most, topK);
      }
    }
    return most;
  }

  /** How fast a form of the generate stage has been writing. */
  GenerationPace pace(StageForm form) {
    return Objects.requireNonNull(paces.get(paceOf(form)), "a form of another route");
  }

  /** The calls that a form's backend has from this pod. */
  BackendLimit backend(StageForm form) {
    return Objects.requireNonNull(backends.get(form.backend()), "a form of another route");
  }

  PodLoad load() {
    Map<String, Integer> inFlight = new TreeMap<>();
    backends.forEach((name, limit) -> inFlight.put(name, limit.inFlight()));
    List<PodLoad.BreakerReading> breakers = new ArrayList<>();
    limits.forEach(
        (stage, limit) ->
            limit
                .breakers()
                .forEach(
                    (backend, breaker) ->
                        breakers.add(new PodLoad.BreakerReading(stage, backend, breaker.state()))));
    return new PodLoad(inFlight, breakers);
  }

  /** What journeys share about a stage. */
  StageLimits limits(int stage) {
    return Objects.requireNonNull(
        limits.get(route.stages().get(stage).name()), "a stage of another route");
  }
}
