package dev.ragjourney.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.simulate.Law;
import dev.ragjourney.simulate.Scenario;
import dev.ragjourney.simulate.Scenario.Epoch;
import dev.ragjourney.simulate.SimulatedJourney;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * A scenario as a file has it.
 *
 * @param notes what is taken where the file says nothing, and what is left out
 */
record ScenarioFile(Scenario scenario, List<String> notes) {
  private static final ObjectMapper JSON = JsonMapper.builder().build();
  private static final int WINDOWS = 50;
  private static final int MOST_WINDOWS = 10_000;
  private static final int REQUESTS = 1_000;
  private static final int MOST_REQUESTS = 1_000_000;

  private static final Set<String> FIELDS =
      new LinkedHashSet<>(
          List.of(
              "journey",
              "spec",
              "seed",
              "windows",
              "requestsPerWindow",
              "correlation",
              "late",
              "segments",
              "edits",
              "autocorrelation",
              "load",
              "rollout",
              "counterResets"));

  ScenarioFile {
    notes = List.copyOf(notes);
  }

  /**
   * @throws CommandFailedException if the file cannot be read, with everything that is wrong with
   *     it
   */
  static ScenarioFile read(Path file) {
    Field root = Field.root(tree(file));
    root.only(FIELDS);
    Path folder =
        Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file is in a folder");
    ParsedJourney journey = ScenarioJourneys.read(folder, root);
    Set<String> notes = new LinkedHashSet<>();
    int windows = root.at("windows").whole(1, MOST_WINDOWS, WINDOWS);
    long seed = root.at("seed").anyWhole(1);
    double correlation = root.at("correlation").number(0, 1, 0);
    double autocorrelation = root.at("autocorrelation").number(0, 0.999, 0);
    int late = root.at("late").whole(0, MOST_WINDOWS, 0);
    Set<Integer> resets = resets(root.at("counterResets"), windows);
    Scenario.Rollout rollout = rollout(root.at("rollout"));
    List<Epoch> epochs =
        journey == null ? List.of() : epochs(folder, root, journey, windows, notes);
    Scenario.Load load = journey == null ? null : load(root.at("load"), journey);
    if (load != null && rollout != null) {
      root.at("rollout").problem("cannot be combined with load");
    }
    if (!root.problems().isEmpty()) {
      throw new CommandFailedException(
          file + " is no scenario:\n  " + String.join("\n  ", root.problems()));
    }
    return new ScenarioFile(
        new Scenario(
            seed, windows, correlation, autocorrelation, late, epochs, resets, load, rollout),
        List.copyOf(notes));
  }

  private static JsonNode tree(Path file) {
    // Jackson's own reader knows no aliases.
    LoaderOptions strict = new LoaderOptions();
    strict.setAllowDuplicateKeys(false);
    try (InputStream in = Files.newInputStream(file)) {
      Object loaded = new Yaml(new SafeConstructor(strict)).load(in);
      return JSON.valueToTree(loaded);
    } catch (YAMLException e) {
      throw new CommandFailedException(file + " is no valid YAML: " + e.getMessage());
    } catch (NoSuchFileException e) {
      throw new CommandFailedException("there is no file " + file);
    } catch (IOException e) {
      throw new CommandFailedException(file + " cannot be read: " + e.getMessage());
    }
  }

  private static List<Epoch> epochs(
      Path folder, Field root, ParsedJourney first, int windows, Set<String> notes) {
    TreeMap<Integer, ParsedJourney> journeys = new TreeMap<>();
    journeys.put(0, first);
    for (Field edit : root.at("edits").items()) {
      edit.only(Set.of("from", "journey", "spec"));
      ParsedJourney edited = ScenarioJourneys.read(folder, edit);
      if (edited != null) {
        sameStages(edit, first, edited);
        journeys.put(edit.at("from").whole(1, windows - 1, 1), edited);
      }
    }
    journeys.values().forEach(journey -> notes.addAll(ScenarioJourneys.leftOut(journey)));
    TreeMap<Integer, Field> segments = segments(root.at("segments"), windows);
    int requests = root.at("requestsPerWindow").whole(0, MOST_REQUESTS, REQUESTS);
    Map<String, Law> laws = new HashMap<>();
    TreeSet<Integer> shifts = new TreeSet<>(journeys.keySet());
    shifts.addAll(segments.keySet());
    List<Epoch> epochs = new ArrayList<>();
    for (int from : shifts) {
      ParsedJourney journey = journeys.floorEntry(from).getValue();
      Field segment = segments.get(from);
      if (segment != null) {
        requests = segment.at("requestsPerWindow").whole(0, MOST_REQUESTS, requests);
        ScenarioLaws.read(segment.at("stages"), journey.budget(), laws);
      }
      SimulatedJourney simulated = ScenarioJourneys.simulated(journey);
      Map<String, Law> all = ScenarioLaws.complete(journey.budget(), laws, notes);
      epochs.add(new Epoch(from, simulated, requests, all));
    }
    return epochs;
  }

  /** What is measured of a stage goes on under its name. */
  private static void sameStages(Field edit, ParsedJourney before, ParsedJourney after) {
    List<String> were = before.budget().stages().stream().map(stage -> stage.name()).toList();
    List<String> are = after.budget().stages().stream().map(stage -> stage.name()).toList();
    if (!were.equals(are)) {
      edit.problem("has the stages " + are + "; an edit keeps the stages, here " + were);
    }
  }

  private static TreeMap<Integer, Field> segments(Field field, int windows) {
    TreeMap<Integer, Field> segments = new TreeMap<>();
    int before = -1;
    for (Field segment : field.items()) {
      segment.only(new LinkedHashSet<>(List.of("from", "requestsPerWindow", "stages")));
      int from = segment.at("from").whole(0, windows - 1, before + 1);
      if (from <= before) {
        segment
            .at("from")
            .problem("is " + from + ", not after the segment before, which begins at " + before);
      } else if (before < 0 && from > 0) {
        segment.at("from").problem("is " + from + "; the first segment begins at window 0");
      } else {
        segments.put(from, segment);
      }
      before = Math.max(before, from);
    }
    if (!field.given() || field.node().isEmpty()) {
      field.problem("is missing; give at least one, like {from: 0, stages: {NAME: LAW}}");
    }
    return segments;
  }

  private static Set<Integer> resets(Field field, int windows) {
    Set<Integer> resets = new TreeSet<>();
    field.items().forEach(item -> resets.add(item.whole(0, windows - 1, 0)));
    return resets;
  }

  private static Scenario.@Nullable Rollout rollout(Field field) {
    if (!field.given()) {
      return null;
    }
    field.only(Set.of("share", "windows"));
    return new Scenario.Rollout(
        field.at("share").number(0, 1, 0.5), field.at("windows").whole(0, MOST_WINDOWS, 1));
  }

  private static Scenario.@Nullable Load load(Field field, ParsedJourney journey) {
    if (!field.given()) {
      return null;
    }
    field.only(Set.of("servers", "burst"));
    Set<String> known = ScenarioLaws.names(journey.budget());
    Map<String, Integer> servers = new HashMap<>();
    field
        .at("servers")
        .only(known)
        .fields()
        .forEach((name, count) -> servers.put(name, count.whole(1, MOST_REQUESTS, 1)));
    return new Scenario.Load(servers, field.at("burst").whole(1, MOST_REQUESTS, 1));
  }
}
