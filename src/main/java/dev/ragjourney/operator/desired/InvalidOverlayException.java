package dev.ragjourney.operator.desired;

import dev.ragjourney.budget.Finding;

/** A part of the workload that has not the shape it has in a Pod. */
public final class InvalidOverlayException extends Exception {
  private final transient Finding finding;

  InvalidOverlayException(String path, String message) {
    super(path + ": " + message);
    finding = new Finding(path, "InvalidValue", message);
  }

  public Finding finding() {
    return finding;
  }
}
