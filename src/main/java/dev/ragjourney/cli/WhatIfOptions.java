package dev.ragjourney.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.budget.Durations;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What would be different. */
final class WhatIfOptions {
  private static final double MOST = 1_000;

  @Option(
      names = "--total",
      paramLabel = "DURATION",
      description = "spec.budget.total; as for any change of it, moved caps are dropped")
  private @Nullable String total;

  @Option(
      names = "--cap",
      paramLabel = "STAGE=DURATION",
      description = "the stage's cap in force; may be given again")
  private Map<String, String> caps = new LinkedHashMap<>();

  @Option(
      names = "--hold-back",
      paramLabel = "STAGE=DURATION",
      description = "what the stage leaves to those after it, beside the reserve")
  private Map<String, String> holdBacks = new LinkedHashMap<>();

  @Option(
      names = "--rule",
      paramLabel = "RULE",
      description = "spec.rebalance.rule: P95Headroom or MaxQuality")
  private @Nullable String rule;

  @Option(
      names = "--miss-ratio",
      paramLabel = "SHARE",
      description = "spec.objective.missRatio, like 0.5%%")
  private @Nullable String missRatio;

  @Option(
      names = "--faster",
      paramLabel = "STAGE=TIMES",
      description = "the stage so many times as fast, like rerank=1.3")
  private Map<String, String> faster = new LinkedHashMap<>();

  boolean none() {
    return !editsSpec() && !changesStages();
  }

  boolean editsSpec() {
    return total != null || rule != null || missRatio != null;
  }

  boolean changesStages() {
    return !caps.isEmpty() || !holdBacks.isEmpty() || !faster.isEmpty();
  }

  boolean changesTotal() {
    return total != null;
  }

  boolean asksForRule() {
    return rule != null || missRatio != null;
  }

  /** For people, one a change. */
  List<String> texts() {
    List<String> texts = new ArrayList<>();
    if (total != null) {
      texts.add("spec.budget.total " + total);
    }
    if (rule != null) {
      texts.add("spec.rebalance.rule " + rule);
    }
    if (missRatio != null) {
      texts.add("spec.objective.missRatio " + missRatio);
    }
    caps.forEach((stage, cap) -> texts.add("cap of " + stage + " " + cap));
    holdBacks.forEach((stage, time) -> texts.add(stage + " holds back " + time));
    faster.forEach((stage, times) -> texts.add(stage + " " + times + " × as fast"));
    return texts;
  }

  /** The spec with what is a field of it. */
  JsonNode edited(JsonNode spec) {
    ObjectNode edited = spec.deepCopy();
    set(edited, "budget", "total", total);
    set(edited, "rebalance", "rule", rule);
    set(edited, "objective", "missRatio", missRatio);
    return edited;
  }

  private static void set(ObjectNode spec, String part, String field, @Nullable String value) {
    if (value != null) {
      spec.withObject("/" + part).put(field, value);
    }
  }

  /** The budget with other caps and hold-backs in force. */
  JourneyBudget changed(JourneyBudget budget) {
    checkNames("--cap", caps, budget);
    checkNames("--hold-back", holdBacks, budget);
    List<StageBudget> stages = new ArrayList<>();
    for (StageBudget stage : budget.stages()) {
      String cap = caps.get(stage.name());
      String hold = holdBacks.get(stage.name());
      StageBudget changed = stage;
      if (cap != null) {
        if (stage.cap() == null) {
          throw new CommandFailedException(
              "--cap: " + stage.name() + " has no cap; it takes what remains");
        }
        changed = changed.withCap(duration("--cap " + stage.name(), cap, budget.total()));
      }
      if (hold != null) {
        changed =
            changed.withHoldBack(duration("--hold-back " + stage.name(), hold, budget.total()));
      }
      stages.add(changed);
    }
    return budget.withStages(stages);
  }

  Map<String, Double> faster(JourneyBudget budget) {
    checkNames("--faster", faster, budget);
    Map<String, Double> times = new LinkedHashMap<>();
    faster.forEach((stage, text) -> times.put(stage, times(stage, text)));
    return times;
  }

  private static double times(String stage, String text) {
    if (text.matches("\\d{1,4}(\\.\\d{1,4})?")) {
      double times = Double.parseDouble(text);
      if (times >= 1 / MOST && times <= MOST) {
        return times;
      }
    }
    throw new CommandFailedException(
        "--faster %s: '%s' is no factor from 0.001 to 1000; write a number like 1.3"
            .formatted(stage, text));
  }

  private static Duration duration(String option, String text, Duration total) {
    Duration parsed;
    try {
      parsed = Durations.parsePositive(text);
    } catch (IllegalArgumentException e) {
      throw new CommandFailedException(option + ": " + e.getMessage());
    }
    if (parsed.compareTo(total) > 0) {
      throw new CommandFailedException(
          "%s: %s is more than the whole budget of %s"
              .formatted(option, text, Durations.formatRounded(total)));
    }
    return parsed;
  }

  private static void checkNames(String option, Map<String, String> given, JourneyBudget budget) {
    List<String> known = budget.stages().stream().map(StageBudget::name).toList();
    for (Map.Entry<String, String> entry : given.entrySet()) {
      if (!known.contains(entry.getKey())) {
        throw new CommandFailedException(
            "%s: '%s' is not the name of a stage; the names are %s"
                .formatted(option, entry.getKey(), String.join(", ", known)));
      }
      Objects.requireNonNull(entry.getValue(), option);
    }
  }
}
