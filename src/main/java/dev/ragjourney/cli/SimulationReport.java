package dev.ragjourney.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.simulate.Mover;
import dev.ragjourney.simulate.MoverResult;
import dev.ragjourney.simulate.Scenario;
import java.time.Duration;
import java.util.IntSummaryStatistics;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What came of a scenario, for people and for programs. */
record SimulationReport(ScenarioFile file, Map<Mover, MoverResult> results) {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final double MILLIS = 1e6;

  /** Figures of more digits would pretend to be exact. */
  private static final double ROUND_TO = 1e3;

  String text() {
    TextTable table =
        new TextTable(
            "WHO MOVES THE CAPS",
            "FULL %",
            "DEGRADED %",
            "MISS %",
            "J",
            "WRITES",
            "RECOVERY",
            "ERROR",
            "HOLDS");
    for (MoverResult result : results.values()) {
      table.row(
          result.mover().label(),
          figure(result.full(), 1),
          figure(result.degraded(), 1),
          figure(result.miss(), 2),
          figure(result.j(), 1),
          result.writes(),
          result.recoveryWindows(),
          figure(result.predictionErrorPoints(), 1),
          holds(result));
    }
    StringBuilder text = new StringBuilder(facts()).append('\n').append(table.text(0));
    file.notes().forEach(note -> text.append("note: ").append(note).append('\n'));
    return text.toString();
  }

  private String facts() {
    Scenario scenario = file.scenario();
    IntSummaryStatistics requests =
        scenario.epochs().stream().mapToInt(Scenario.Epoch::requests).summaryStatistics();
    String each =
        requests.getMin() == requests.getMax()
            ? requests.getMin() + " requests in each"
            : requests.getMin() + " to " + requests.getMax() + " requests in each";
    return "%d windows, %s; seed %d".formatted(scenario.windows(), each, scenario.seed());
  }

  private static String figure(@Nullable Double value, int decimals) {
    return value == null ? "-" : String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  private static String holds(MoverResult result) {
    StringBuilder text = new StringBuilder();
    counts(result)
        .forEach(
            (reason, count) ->
                text.append(text.isEmpty() ? "" : ", ").append(reason).append(' ').append(count));
    return text.toString();
  }

  private static Map<String, Integer> counts(MoverResult result) {
    Map<String, Integer> counts = new TreeMap<>();
    result.holds().forEach(hold -> counts.merge(hold.reason(), 1, Integer::sum));
    return counts;
  }

  ObjectNode json() {
    ObjectNode document = JSON.objectNode();
    document.set("scenario", scenario());
    results.forEach((mover, result) -> document.set(mover.label(), mover(result)));
    return document;
  }

  private ObjectNode scenario() {
    Scenario scenario = file.scenario();
    ObjectNode facts = JSON.objectNode();
    facts.put("seed", scenario.seed());
    facts.put("windows", scenario.windows());
    facts.put("correlation", scenario.correlation());
    facts.put("late", scenario.late());
    ArrayNode segments = facts.putArray("segments");
    for (Scenario.Epoch epoch : scenario.epochs()) {
      segments
          .addObject()
          .put("from", epoch.from())
          .put("requestsPerWindow", epoch.requests())
          .put("totalMs", millis(epoch.journey().budget().total()))
          .put("missRatio", epoch.journey().policy().missRatio());
    }
    ArrayNode notes = facts.putArray("notes");
    file.notes().forEach(notes::add);
    return facts;
  }

  private static ObjectNode mover(MoverResult result) {
    ObjectNode node = JSON.objectNode();
    node.put("full", rounded(result.full()));
    node.put("degraded", rounded(result.degraded()));
    node.put("miss", rounded(result.miss()));
    node.put("j", rounded(result.j()));
    node.put("writes", result.writes());
    node.put("recoveryWindows", result.recoveryWindows());
    node.put("predictionErrorPoints", rounded(result.predictionErrorPoints()));
    ArrayNode caps = node.putArray("caps");
    ArrayNode holdBacks = node.putArray("holdBacks");
    ArrayNode leftOut = node.putArray("leftOut");
    ArrayNode windows = node.putArray("windows");
    for (MoverResult.Window window : result.windows()) {
      caps.add(caps(window.settings()));
      holdBacks.add(holdBacks(window.settings()));
      leftOut.add(leftOut(window.settings()));
      windows.add(window(window));
    }
    ArrayNode holds = node.putArray("holds");
    for (MoverResult.Hold hold : result.holds()) {
      holds
          .addObject()
          .put("window", hold.window())
          .put("reason", hold.reason())
          .put("message", hold.message());
    }
    ObjectNode counts = node.putObject("holdReasons");
    counts(result).forEach(counts::put);
    return node;
  }

  private static ObjectNode window(MoverResult.Window window) {
    return JSON.objectNode()
        .put("full", rounded(window.full()))
        .put("degraded", rounded(window.degraded()))
        .put("miss", rounded(window.miss()))
        .put("j", rounded(window.j()))
        .put("predictedFull", rounded(window.predictedFull()));
  }

  private static ObjectNode caps(JourneyBudget settings) {
    ObjectNode caps = JSON.objectNode();
    for (StageBudget stage : settings.stages()) {
      if (stage.cap() != null) {
        caps.put(stage.name(), millis(stage.cap()));
      }
    }
    return caps;
  }

  private static ObjectNode holdBacks(JourneyBudget settings) {
    ObjectNode holds = JSON.objectNode();
    for (StageBudget stage : settings.stages()) {
      if (stage.holdBack() != null) {
        holds.put(stage.name(), millis(stage.holdBack()));
      }
    }
    return holds;
  }

  /** Stages, and a lower level that journeys begin at. */
  private static ArrayNode leftOut(JourneyBudget settings) {
    ArrayNode left = JSON.arrayNode();
    settings.leaves().stages().forEach(left::add);
    String level = settings.leaves().startLevel();
    return level == null ? left : left.add("above " + level);
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / MILLIS;
  }

  private static @Nullable Double rounded(@Nullable Double value) {
    return value == null ? null : Math.round(value * ROUND_TO) / ROUND_TO;
  }
}
