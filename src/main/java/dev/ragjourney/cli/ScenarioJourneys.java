package dev.ragjourney.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.budget.Enforcement;
import dev.ragjourney.budget.Finding;
import dev.ragjourney.crd.RawSpecReader;
import dev.ragjourney.crd.Reading;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.crd.parsed.ParsedStage;
import dev.ragjourney.crd.parsed.StageForm;
import dev.ragjourney.simulate.SimulatedJourney;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The journeys that a scenario names, as the operator would read them. */
final class ScenarioJourneys {
  private static final String FULL_FORM = "v0";

  private ScenarioJourneys() {}

  /**
   * @param folder that paths in the scenario start from
   * @param in what has {@code journey}, the path of a manifest, or {@code spec}
   * @return null where it is wrong; what is wrong is told
   */
  static @Nullable ParsedJourney read(Path folder, Field in) {
    Field path = in.at("journey");
    Field spec = in.at("spec");
    if (path.given() == spec.given()) {
      in.problem(
          (path.given() ? "has both journey and spec" : "has neither journey nor spec")
              + "; give one of them: the path of a RagJourney's manifest, or its spec");
      return null;
    }
    if (spec.given()) {
      return parsed("simulated", spec.node(), spec);
    }
    try {
      String file = folder.resolve(path.node().asText("")).toString();
      List<Manifest> manifests = Manifest.read(file, InputStream.nullInputStream());
      if (manifests.size() > 1) {
        path.problem(file + " holds " + manifests.size() + " RagJourneys; one is needed");
        return null;
      }
      return parsed(manifests.getFirst().name(), manifests.getFirst().spec(), path);
    } catch (CommandFailedException unreadable) {
      path.problem(String.valueOf(unreadable.getMessage()));
      return null;
    }
  }

  private static @Nullable ParsedJourney parsed(String name, @Nullable JsonNode spec, Field from) {
    switch (RawSpecReader.read(name, spec)) {
      case Reading.Valid(ParsedJourney journey) -> {
        return journey;
      }
      case Reading.Unreadable(String message) -> from.problem(message);
      case Reading.Invalid(List<Finding> findings) ->
          findings.forEach(f -> from.problem(f.path() + ": " + f.message()));
    }
    return null;
  }

  static SimulatedJourney simulated(ParsedJourney journey) {
    List<SimulatedJourney.StageForms> forms = new ArrayList<>();
    for (ParsedStage stage : journey.stages()) {
      List<SimulatedJourney.Form> byLevel = new ArrayList<>();
      for (var level : journey.levels()) {
        String variant = level.variants().getOrDefault(stage.name(), FULL_FORM);
        byLevel.add(
            form(
                stage.forms().stream()
                    .filter(form -> form.variant().equals(variant))
                    .findFirst()
                    .orElse(stage.forms().getFirst())));
      }
      StageForm fallback = stage.fallback();
      forms.add(new SimulatedJourney.StageForms(byLevel, fallback == null ? null : form(fallback)));
    }
    return new SimulatedJourney(
        journey.budget(), journey.rebalance(), journey.refuseWithoutContext(), forms);
  }

  private static SimulatedJourney.Form form(StageForm form) {
    return new SimulatedJourney.Form(
        form.backend(), form.keywordOnly(), form.variant().equals(FULL_FORM));
  }

  /** What the journey says and the simulation leaves out. */
  static List<String> leftOut(ParsedJourney journey) {
    List<String> notes = new ArrayList<>();
    if (journey.budget().stages().stream().anyMatch(stage -> stage.breaker() != null)) {
      notes.add("breakers are not simulated: every call is let through");
    }
    if (journey.stages().stream().anyMatch(stage -> stage.speculative() != null)) {
      notes.add("keyword searches that start with the question are not simulated");
    }
    if (journey.policy().answerCache() != null) {
      notes.add("the cache of answers is taken to be empty");
    }
    if (journey.policy().enforcement() == Enforcement.OBSERVE) {
      notes.add("enforcement is simulated as Enforce");
    }
    if (journey.policy().drillShare() > 0) {
      notes.add("drills are not simulated");
    }
    return notes;
  }
}
