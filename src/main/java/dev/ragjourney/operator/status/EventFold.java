package dev.ragjourney.operator.status;

import dev.ragjourney.crd.status.AdviceStatus;
import dev.ragjourney.crd.status.CapChangeStatus;
import dev.ragjourney.crd.status.Condition;
import dev.ragjourney.crd.status.LadderChangeStatus;
import dev.ragjourney.crd.status.PlanStatus;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.crd.status.RebalanceMove;
import dev.ragjourney.crd.status.RebalanceStatus;
import dev.ragjourney.rebalance.LadderChange;
import dev.ragjourney.rebalance.Reasons;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The events between two statuses: what changed, told once. */
public final class EventFold {
  /** Nothing is wrong with a journey that nobody asks, or that is not measured by choice. */
  private static final Set<String> QUIET =
      Set.of(Reasons.NO_TRAFFIC, Reasons.TOO_FEW_SAMPLES, Reasons.NOT_CONFIGURED);

  private static final Set<String> OF_EVERY_BEGINNING =
      Set.of(Reasons.NO_TRAFFIC, Reasons.TOO_FEW_SAMPLES);

  private EventFold() {}

  public static List<JourneyEvent> events(
      @Nullable RagJourneyStatus before, RagJourneyStatus after) {
    List<JourneyEvent> events = new ArrayList<>();
    Map<String, Condition> was = StatusFolder.byType(before);
    Map<String, Condition> is = StatusFolder.byType(after);
    ready(was.get(Types.READY), is.get(Types.READY), events);
    risen(Types.DEGRADED_RATE_HIGH, "DegradedRateNormal", was, is, events);
    risen(Types.STAGE_STARVED, "StageRuns", was, is, events);
    risen(Types.GENERATE_STARTS_LATE, "GenerateStartsInTime", was, is, events);
    measured(was.get(Types.METRICS_AVAILABLE), is.get(Types.METRICS_AVAILABLE), events);
    paused(was.get(Types.REBALANCED), is.get(Types.REBALANCED), events);
    withinBudget(was, is, events);
    delivered(before, after, is, events);
    moved(before, after, events);
    advised(before, after, events);
    return events;
  }

  private static void ready(
      @Nullable Condition was, @Nullable Condition is, List<JourneyEvent> events) {
    if (is == null || (was != null && Objects.equals(was.reason(), is.reason()))) {
      return;
    }
    String reason = text(is.reason());
    if (reason.equals("Serving")) {
      events.add(new JourneyEvent(false, "Ready", text(is.message())));
    } else if (!reason.equals("PodsNotReady")) {
      events.add(new JourneyEvent(true, reason, text(is.message())));
    }
  }

  /** A condition that is bad when it is True. */
  private static void risen(
      String type,
      String clearedReason,
      Map<String, Condition> was,
      Map<String, Condition> is,
      List<JourneyEvent> events) {
    boolean before = has(was.get(type), Verdict.TRUE);
    if (!before && has(is.get(type), Verdict.TRUE)) {
      events.add(new JourneyEvent(true, type, message(is, type)));
    } else if (before && has(is.get(type), Verdict.FALSE)) {
      events.add(new JourneyEvent(false, clearedReason, message(is, type)));
    }
  }

  /** Each reason why nothing can be judged, and that it can be again. */
  private static void measured(
      @Nullable Condition was, @Nullable Condition is, List<JourneyEvent> events) {
    if (is == null || (was != null && Objects.equals(was.reason(), is.reason()))) {
      return;
    }
    String reason = text(is.reason());
    boolean first = was == null || has(was, Verdict.UNKNOWN);
    if (first && OF_EVERY_BEGINNING.contains(reason)) {
      return;
    }
    if (has(is, Verdict.FALSE)) {
      events.add(new JourneyEvent(!QUIET.contains(reason), reason, text(is.message())));
    } else if (has(was, Verdict.FALSE) && has(is, Verdict.TRUE)) {
      events.add(new JourneyEvent(false, Types.METRICS_AVAILABLE, text(is.message())));
    }
  }

  private static void paused(
      @Nullable Condition was, @Nullable Condition is, List<JourneyEvent> events) {
    boolean before = was != null && Reasons.PAUSED.equals(was.reason());
    boolean now = is != null && Reasons.PAUSED.equals(is.reason());
    if (is == null) {
      return;
    }
    if (now && !before) {
      events.add(new JourneyEvent(false, "RebalancePaused", text(is.message())));
    } else if (before && !now) {
      events.add(new JourneyEvent(false, "RebalanceResumed", text(is.message())));
    }
  }

  private static void withinBudget(
      Map<String, Condition> was, Map<String, Condition> is, List<JourneyEvent> events) {
    boolean missed = has(was.get(Types.WITHIN_BUDGET), Verdict.FALSE);
    if (!missed && has(is.get(Types.WITHIN_BUDGET), Verdict.FALSE)) {
      events.add(new JourneyEvent(true, "MissRatioHigh", message(is, Types.WITHIN_BUDGET)));
    } else if (missed && has(is.get(Types.WITHIN_BUDGET), Verdict.TRUE)) {
      events.add(new JourneyEvent(false, "WithinBudget", message(is, Types.WITHIN_BUDGET)));
    }
  }

  private static void delivered(
      @Nullable RagJourneyStatus before,
      RagJourneyStatus after,
      Map<String, Condition> is,
      List<JourneyEvent> events) {
    Map<String, Condition> was = StatusFolder.byType(before);
    boolean now = has(is.get(Types.PLAN_DELIVERED), Verdict.TRUE);
    boolean wasForThis =
        has(was.get(Types.PLAN_DELIVERED), Verdict.TRUE)
            && Objects.equals(revision(before), revision(after));
    if (now && !wasForThis) {
      events.add(new JourneyEvent(false, "PlanDelivered", message(is, Types.PLAN_DELIVERED)));
    }
  }

  private static void moved(
      @Nullable RagJourneyStatus before, RagJourneyStatus after, List<JourneyEvent> events) {
    RebalanceStatus was = before == null ? null : before.rebalance();
    RebalanceStatus is = after.rebalance();
    if (is == null
        || is.lastMove() == null
        || is.changes() == null
        || Objects.equals(was == null ? null : was.lastMove(), is.lastMove())) {
      return;
    }
    RebalanceMove move = is.history() == null ? null : is.history().getFirst();
    boolean back = move != null && Reasons.ROLLED_BACK.equals(move.reason());
    String why = is.changes().stream().map(EventFold::told).collect(Collectors.joining(", "));
    String message = move == null || move.message() == null ? "" : move.message();
    String text = why.isEmpty() || message.isEmpty() ? message + why : message + ": " + why;
    String moved = move == null || move.ladder() == null ? "CapsRebalanced" : rung(move.ladder());
    events.add(new JourneyEvent(back, back ? "CapsRolledBack" : moved, text));
  }

  private static void advised(
      @Nullable RagJourneyStatus before, RagJourneyStatus after, List<JourneyEvent> events) {
    AdviceStatus was = advice(before);
    AdviceStatus is = advice(after);
    if (is != null && (was == null || !rung(was).equals(rung(is)))) {
      events.add(new JourneyEvent(true, "LadderAdvice", text(is.message())));
    } else if (was != null && is == null) {
      events.add(
          new JourneyEvent(
              false,
              "LadderAdviceGone",
              "the advice about " + rung(was) + " does not hold any more"));
    }
  }

  private static String rung(LadderChangeStatus change) {
    if (change.stage() == null) {
      return "StartLevelMoved";
    }
    return LadderChange.LEFT_OUT.equals(change.to()) ? "StageLeftOut" : "StageRunsAgain";
  }

  private static @Nullable AdviceStatus advice(@Nullable RagJourneyStatus status) {
    RebalanceStatus rebalance = status == null ? null : status.rebalance();
    return rebalance == null ? null : rebalance.advice();
  }

  private static String rung(AdviceStatus advice) {
    return advice.stage() == null ? "level " + advice.level() : "stage " + advice.stage();
  }

  private static String told(CapChangeStatus change) {
    return "%s%s %s → %s (%s%s)"
        .formatted(
            change.stage(),
            change.knob() == null ? "" : " holds back",
            change.from(),
            change.to(),
            change.why(),
            change.samples() == null ? "" : "; %d calls".formatted(change.samples()));
  }

  private static @Nullable Long revision(@Nullable RagJourneyStatus status) {
    PlanStatus plan = status == null ? null : status.plan();
    return plan == null ? null : plan.revision();
  }

  private static boolean has(@Nullable Condition condition, String status) {
    return condition != null && status.equals(condition.status());
  }

  private static String message(Map<String, Condition> conditions, String type) {
    Condition condition = conditions.get(type);
    return condition == null ? "" : text(condition.message());
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }
}
