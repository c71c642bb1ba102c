package dev.ragjourney.budget;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds a journey's budget, with durations as the resource spells them. */
public final class BudgetDraft {
  private final Duration total;
  private CountTo countTo = CountTo.FIRST_TOKEN;
  private Duration reserve = Duration.ofMillis(50);
  private Duration margin = Duration.ofMillis(200);
  private Duration streamIdle = Duration.ofSeconds(30);
  private Duration streamMax = Duration.ofMinutes(5);
  private List<StageBudget> stages = List.of();
  private final List<FallbackLevel> levels = new ArrayList<>();

  private BudgetDraft(String total) {
    this.total = Durations.parse(total);
  }

  public static BudgetDraft of(String total) {
    return new BudgetDraft(total);
  }

  public BudgetDraft firstToken() {
    countTo = CountTo.FIRST_TOKEN;
    return this;
  }

  public BudgetDraft lastToken(String lastTokenMargin) {
    countTo = CountTo.LAST_TOKEN;
    margin = Durations.parse(lastTokenMargin);
    return this;
  }

  public BudgetDraft reserve(String duration) {
    reserve = Durations.parse(duration);
    return this;
  }

  public BudgetDraft stream(String idle, String max) {
    streamIdle = Durations.parse(idle);
    streamMax = Durations.parse(max);
    return this;
  }

  public BudgetDraft stages(StageDraft... drafts) {
    stages = Stream.of(drafts).map(StageDraft::budget).toList();
    return this;
  }

  public BudgetDraft level(
      String name, String minRemaining, List<String> skip, LevelStage... changes) {
    levels.add(
        new FallbackLevel(
            name, AnswerSource.STAGES, Durations.parse(minRemaining), skip, List.of(changes)));
    return this;
  }

  public BudgetDraft cached(String name) {
    levels.add(
        new FallbackLevel(name, AnswerSource.SEMANTIC_CACHE, Duration.ZERO, List.of(), List.of()));
    return this;
  }

  public static LevelStage at(String stage, @Nullable String minRemaining, @Nullable String floor) {
    return new LevelStage(
        stage,
        minRemaining == null ? null : Durations.parse(minRemaining),
        floor == null ? null : Durations.parse(floor));
  }

  /** With the static level last, and a level of all stages first where none was given. */
  public JourneyBudget budget() {
    List<FallbackLevel> all = new ArrayList<>(levels);
    if (all.isEmpty()) {
      all.add(new FallbackLevel("full", AnswerSource.STAGES, Duration.ZERO, List.of(), List.of()));
    }
    all.add(new FallbackLevel("sorry", AnswerSource.STATIC, Duration.ZERO, List.of(), List.of()));
    return new JourneyBudget(total, countTo, reserve, margin, streamIdle, streamMax, stages, all);
  }

  public BudgetTable table() {
    return BudgetTable.of(budget());
  }
}
