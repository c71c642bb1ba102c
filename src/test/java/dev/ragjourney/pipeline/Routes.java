package dev.ragjourney.pipeline;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.FallbackLevel;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.JourneyPolicy;
import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.budget.StageBudget;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds routes: a budget, and a port for each of its stages. */
final class Routes {
  static final String SORRY = "Try again in a moment.";
  static final String HINT = "Quick answer: some detail may be missing.";

  private JourneyBudget budget;
  private boolean refuse;
  private JourneyPolicy policy = JourneyPolicy.PLAIN;
  private @Nullable AnswerCache answers;
  private final Map<String, StageForm> forms = new HashMap<>();
  private final Map<String, StageForm> fallbacks = new HashMap<>();
  private final Map<String, Integer> limits = new HashMap<>();
  private final Map<String, StageForm> speculative = new HashMap<>();
  private final Map<String, StageForm> levelForms = new HashMap<>();

  private Routes(JourneyBudget budget) {
    this.budget = budget;
  }

  static Routes of(BudgetDraft draft) {
    return new Routes(draft.budget());
  }

  /** The backend is called as the stage. */
  Routes port(String stage, StagePort port) {
    return form(stage, form(stage, port));
  }

  Routes form(String stage, StageForm form) {
    forms.put(stage, form);
    return this;
  }

  Routes fallback(String stage, StagePort port) {
    return fallback(stage, form(stage + "-fallback", port));
  }

  Routes fallback(String stage, StageForm form) {
    fallbacks.put(stage, form);
    return this;
  }

  /** On a backend that is called as the stage. */
  Routes speculative(String stage, PassageSearch port) {
    speculative.put(stage, keywordOnly(form(stage, port)));
    return this;
  }

  /** From this level on. */
  Routes from(String level, String stage, StageForm form) {
    levelForms.put(level + "/" + stage, form);
    return this;
  }

  /** The most calls of a backend at once. */
  Routes limit(String backend, int calls) {
    limits.put(backend, calls);
    return this;
  }

  Routes refuseWithoutContext() {
    refuse = true;
    return this;
  }

  Routes policy(JourneyPolicy newPolicy) {
    policy = newPolicy;
    return this;
  }

  Routes leaving(LeftOut left) {
    budget = budget.leaving(left);
    return this;
  }

  Routes answers(AnswerCache cache) {
    answers = cache;
    return this;
  }

  static StageForm form(String backend, StagePort port) {
    return new StageForm("v0", backend, port, 0, null, false, null, null, "", "", null);
  }

  static StageForm topK(StageForm form, int topK) {
    return new StageForm(
        form.variant(),
        form.backend(),
        form.port(),
        topK,
        form.ef(),
        form.keywordOnly(),
        form.maxTokens(),
        form.maxContextTokens(),
        form.instructions(),
        form.noContextInstructions(),
        form.reasoningEffort());
  }

  static StageForm ef(StageForm form, int ef) {
    return new StageForm(
        form.variant(),
        form.backend(),
        form.port(),
        form.topK(),
        ef,
        form.keywordOnly(),
        form.maxTokens(),
        form.maxContextTokens(),
        form.instructions(),
        form.noContextInstructions(),
        form.reasoningEffort());
  }

  static StageForm maxTokens(StageForm form, int maxTokens) {
    return new StageForm(
        form.variant(),
        form.backend(),
        form.port(),
        form.topK(),
        form.ef(),
        form.keywordOnly(),
        maxTokens,
        form.maxContextTokens(),
        form.instructions(),
        form.noContextInstructions(),
        form.reasoningEffort());
  }

  static StageForm keywordOnly(StageForm form) {
    return new StageForm(
        form.variant(),
        form.backend(),
        form.port(),
        form.topK(),
        form.ef(),
        true,
        form.maxTokens(),
        form.maxContextTokens(),
        form.instructions(),
        form.noContextInstructions(),
        form.reasoningEffort());
  }

  Route route() {
    List<StageRoute> routes = new ArrayList<>();
    for (StageBudget stage : budget.stages()) {
      List<StageForm> byLevel = new ArrayList<>();
      StageForm form = forms.get(stage.name());
      for (FallbackLevel level : budget.levels()) {
        form = levelForms.getOrDefault(level.name() + "/" + stage.name(), form);
        byLevel.add(form);
      }
      routes.add(
          new StageRoute(
              stage.name(), byLevel, fallbacks.get(stage.name()), speculative.get(stage.name())));
    }
    List<String> hints = Collections.nCopies(budget.levels().size(), HINT);
    return new Route(
        "shop", "faq", 1, budget, routes, limits, SORRY, hints, refuse, policy, answers);
  }
}
