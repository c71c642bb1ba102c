package dev.ragjourney.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Who may import whom, and what the pure rooms may not touch. Plain test methods on purpose: rules
 * written as {@code @ArchTest} fields have been seen to run zero tests and pass.
 */
class LayeringTest {
  private static final String ROOT = "dev.ragjourney";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  /** Room, and the rooms it may import. */
  private static final Map<String, Set<String>> MAY_IMPORT =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("budget", Set.of()),
              Map.entry("rebalance", Set.of("budget")),
              Map.entry("pipeline", Set.of("budget")),
              Map.entry("plan", Set.of("budget")),
              Map.entry("backends", Set.of("pipeline", "budget", "plan")),
              Map.entry("telemetry", Set.of("pipeline", "budget", "plan")),
              Map.entry("server", Set.of("pipeline", "plan", "budget", "telemetry", "backends")),
              Map.entry("crd", Set.of("budget", "rebalance")),
              Map.entry("prometheus", Set.of("rebalance", "plan", "budget")),
              Map.entry("operator", Set.of("crd", "rebalance", "prometheus", "plan", "budget")),
              Map.entry("simulate", Set.of("budget", "rebalance")),
              Map.entry(
                  "cli", Set.of("crd", "simulate", "rebalance", "prometheus", "plan", "budget")),
              Map.entry(
                  "app",
                  Set.of(
                      "budget",
                      "rebalance",
                      "pipeline",
                      "plan",
                      "backends",
                      "telemetry",
                      "server",
                      "crd",
                      "prometheus",
                      "operator",
                      "simulate",
                      "cli"))));

  @Test
  void the_import_found_the_classes_of_every_room() {
    Set<String> rooms = new TreeSet<>();
    CLASSES.forEach(type -> rooms.add(room(type.getPackageName())));
    assertThat(CLASSES.size()).as("imported classes").isGreaterThan(50);
    assertThat(rooms).as("rooms without an entry in the table").isSubsetOf(MAY_IMPORT.keySet());
    assertThat(rooms).contains("budget", "rebalance", "pipeline", "plan", "app");
  }

  @TestFactory
  Stream<DynamicTest> a_room_imports_only_the_rooms_it_may() {
    return MAY_IMPORT.entrySet().stream()
        .map(
            entry ->
                DynamicTest.dynamicTest(
                    entry.getKey() + " imports only " + new TreeSet<>(entry.getValue()),
                    () -> assertImportsOnly(entry.getKey(), entry.getValue())));
  }

  private static void assertImportsOnly(String room, Set<String> allowed) {
    List<String> forbidden =
        MAY_IMPORT.keySet().stream()
            .filter(other -> !other.equals(room) && !allowed.contains(other))
            .map(other -> ROOT + "." + other + "..")
            .toList();
    noClasses()
        .that()
        .resideInAPackage(ROOT + "." + room + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(forbidden.toArray(String[]::new))
        .because(
            "the two flows are one-way: request (server → pipeline → backends) and control"
                + " (operator → rebalance); they meet only in plan.json and in the metrics")
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void there_are_no_cycles_between_packages() {
    slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void pure_rooms_know_no_clock_no_logger_and_no_io() {
    for (String room : List.of("budget", "rebalance", "simulate")) {
      noClasses()
          .that()
          .resideInAPackage(ROOT + "." + room + "..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("java.io..")
                  .or(resideInAPackage("java.nio.file.."))
                  .or(resideInAPackage("java.nio.channels.."))
                  .or(resideInAPackage("java.net.."))
                  .or(resideInAPackage("java.util.concurrent.."))
                  .or(resideInAPackage("java.util.logging.."))
                  .or(resideInAPackage("org.slf4j.."))
                  .or(resideInAPackage("com.fasterxml.."))
                  .or(resideInAPackage("io.fabric8..")))
          .because("decisions are functions of their arguments: they can be tabled and replayed")
          .check(CLASSES);
      noClasses()
          .that()
          .resideInAPackage(ROOT + "." + room + "..")
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(java.time.Instant.class, "now")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(java.time.Clock.class)
          .because("time comes in as an argument")
          .check(CLASSES);
    }
  }

  @Test
  void the_pipeline_measures_time_only_through_its_monotonic_clock() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".pipeline..")
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(java.time.Instant.class, "now")
        .because("the time of day jumps; a deadline must not")
        .check(CLASSES);
  }

  @Test
  void every_package_is_null_marked() throws ClassNotFoundException {
    Set<String> packages = new TreeSet<>();
    CLASSES.forEach(type -> packages.add(type.getPackageName()));
    List<String> unmarked = new ArrayList<>();
    for (String name : packages) {
      Class<?> info;
      try {
        info = Class.forName(name + ".package-info");
      } catch (ClassNotFoundException missing) {
        unmarked.add(name + " (no package-info)");
        continue;
      }
      if (!info.isAnnotationPresent(NullMarked.class)) {
        unmarked.add(name);
      }
    }
    assertThat(unmarked).as("packages without @NullMarked").isEmpty();
  }

  @Test
  void no_package_or_class_is_a_drawer_for_odds_and_ends() {
    List<String> drawers =
        List.of("util", "utils", "common", "helper", "helpers", "manager", "impl");
    Set<String> found = new TreeSet<>();
    CLASSES.forEach(
        type -> {
          for (String part : type.getPackageName().split("\\.")) {
            if (drawers.contains(part)) {
              found.add(type.getPackageName());
            }
          }
          if (type.getSimpleName().matches(".*(Utils?|Helper|Manager|Impl)$")) {
            found.add(type.getName());
          }
        });
    assertThat(found).isEmpty();
  }

  private static String room(String packageName) {
    return packageName.substring(ROOT.length() + 1).split("\\.")[0];
  }
}
