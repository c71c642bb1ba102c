package dev.ragjourney.operator.status;

import dev.ragjourney.crd.status.Condition;
import dev.ragjourney.crd.status.PlanStatus;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.crd.status.RebalanceStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The events between two statuses: what changed, told once. */
public final class EventFold {
  private EventFold() {}

  public static List<JourneyEvent> events(
      @Nullable RagJourneyStatus before, RagJourneyStatus after) {
    List<JourneyEvent> events = new ArrayList<>();
    Map<String, Condition> was = StatusFolder.byType(before);
    Map<String, Condition> is = StatusFolder.byType(after);
    ready(was.get(Types.READY), is.get(Types.READY), events);
    risen(Types.DEGRADED_RATE_HIGH, "DegradedRateNormal", was, is, events);
    risen(Types.STAGE_STARVED, "StageRuns", was, is, events);
    withinBudget(was, is, events);
    delivered(before, after, is, events);
    moved(before, after, events);
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
    String changes =
        is.changes().stream()
            .map(
                change ->
                    "%s%s %s → %s (%s)"
                        .formatted(
                            change.stage(),
                            change.knob() == null ? "" : " holds back",
                            change.from(),
                            change.to(),
                            change.why()))
            .collect(Collectors.joining(", "));
    events.add(new JourneyEvent(false, "CapsRebalanced", changes));
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
