package dev.ragjourney.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * The keyword search that starts with the question: merged with what its stage finds, or used in
 * its place. It never outlives its stage.
 */
final class Speculation {
  private final Call<PassagesFound> call;
  private final StageReport report;
  private boolean reported;

  private Speculation(Call<PassagesFound> call, StageReport report) {
    this.call = call;
    this.report = report;
  }

  /** Null where the stage itself may have no time, or its backend has enough to do without this. */
  static @Nullable Speculation start(Trip trip, int stage, int level, StageForm form) {
    long now = trip.now();
    double k = trip.deadline().k();
    long end = trip.deadline().atNanos() - trip.table().holdback(stage, level, k);
    if (end - now < trip.table().minUseful(stage)) {
      return null;
    }
    BackendLimit.Permit permit = trip.itinerary().backend(form).permit(trip.bell());
    if (!permit.take(false)) {
      return null;
    }
    StageCall told =
        new StageCall(
            trip.itinerary().budget(stage).name(),
            level,
            StageCall.Role.SPECULATIVE,
            trip.machinery().time(),
            end,
            trip.deadline().atNanos(),
            Cancellation.NONE,
            trip.question().traceparent());
    Call<PassagesFound> call =
        new Call<>(
            trip.machinery(),
            trip.bell(),
            form,
            told,
            end,
            Cut.DEADLINE,
            StageWork.byKeyword(form, trip.question().text()),
            permit,
            null);
    call.advance(now);
    return new Speculation(call, new StageReport(trip, stage, level));
  }

  /** Null while it runs, and where it gave nothing. */
  @Nullable PassagesFound found() {
    return call.result() instanceof Result.Value<PassagesFound>(PassagesFound found) ? found : null;
  }

  boolean running() {
    return call.result() == null;
  }

  StageForm form() {
    return call.form();
  }

  /** Its stage ends then, and so does this. */
  void limitTo(long endNanos) {
    call.limitTo(endNanos, Cut.DEADLINE);
  }

  /** Nobody will ask for what it finds any more. */
  void close() {
    call.cancel(Cut.UNWANTED);
    Result<PassagesFound> ended = call.result();
    if (!reported && ended != null) {
      reported = true;
      report.called(call, ended, call.elapsedNanos());
    }
  }
}
