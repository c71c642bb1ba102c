package dev.ragjourney.crd;

import dev.ragjourney.budget.Finding;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong with one spec. */
final class Findings {
  private final List<Finding> all = new ArrayList<>();

  boolean isEmpty() {
    return all.isEmpty();
  }

  List<Finding> all() {
    return List.copyOf(all);
  }

  /** A field that must be there is not. */
  void required(String path, String right) {
    add(path, "Required", path + " is missing; " + right + ".");
  }

  /** A value whose spelling or size is wrong. */
  void invalid(String path, String sentence) {
    add(path, "InvalidValue", sentence);
  }

  /** A value that is right by itself but not beside another one. */
  void conflict(String path, String sentence) {
    add(path, "Conflict", sentence);
  }

  /** A name that is given twice. */
  void duplicate(String path, String name, String of) {
    add(path, "Duplicate", "'" + name + "' is already the name of another " + of + ".");
  }

  /** A name that nothing has. */
  void unknown(String path, String name, String of, List<String> known) {
    String right = known.isEmpty() ? "there are none" : "the names are " + String.join(", ", known);
    add(path, "UnknownName", "'" + name + "' is not the name of a " + of + "; " + right + ".");
  }

  /** A field that the resource does not have. */
  void unknownField(String path, @Nullable String meant) {
    String right = meant == null ? "leave it out." : "did you mean " + meant + "?";
    add(path, "UnknownField", path + " is no field of this version; " + right);
  }

  void notSupportedYet(String path, String what) {
    add(path, "NotSupportedYet", what);
  }

  private void add(String path, String reason, String message) {
    all.add(new Finding(path, reason, message));
  }
}
