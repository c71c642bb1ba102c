package dev.ragjourney.server;

/** A request that is not served, with the answer that says why. */
final class RefusedException extends Exception {
  private final transient Problem problem;

  RefusedException(Problem problem) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  Problem problem() {
    return problem;
  }
}
