package dev.ragjourney.operator;

import dev.ragjourney.crd.RagJourney;
import dev.ragjourney.operator.observe.Journey;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.operator.status.JourneyEvent;
import dev.ragjourney.rebalance.JourneyId;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events as {@code kubectl describe} shows them: one object a journey and reason, counted. An event
 * that cannot be written is lost, nothing else is.
 */
final class EventRecorder {
  private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);
  private static final int LONGEST_NOTE = 1000;

  private record Series(Instant first, int count) {}

  private record Key(JourneyId journey, String uid, String reason) {}

  private final Writer writer;
  private final Map<Key, Series> told = new ConcurrentHashMap<>();

  /** Journeys whose namespace is being deleted: nothing can be created there any more. */
  private final Set<JourneyId> ending = ConcurrentHashMap.newKeySet();

  EventRecorder(Writer writer) {
    this.writer = writer;
  }

  /** The journey's namespace goes away, and nobody is left to read events. */
  void end(JourneyId journey) {
    ending.add(journey);
  }

  void record(Journey journey, JourneyEvent event, Instant now) {
    if (ending.contains(journey.id())) {
      return;
    }
    Key key = new Key(journey.id(), journey.uid(), event.reason());
    Instant second = now.truncatedTo(ChronoUnit.SECONDS);
    Series series =
        told.merge(
            key,
            new Series(second, 1),
            (before, first) -> new Series(before.first(), before.count() + 1));
    try {
      writer.event(
          new EventBuilder()
              .withNewMetadata()
              .withName(name(journey, event.reason()))
              .withNamespace(journey.id().namespace())
              .withLabels(Map.of(Labels.JOURNEY, journey.id().name()))
              .endMetadata()
              .withNewInvolvedObject()
              .withApiVersion(RagJourney.API_VERSION)
              .withKind(RagJourney.KIND)
              .withName(journey.id().name())
              .withNamespace(journey.id().namespace())
              .withUid(journey.uid())
              .endInvolvedObject()
              .withType(event.warning() ? "Warning" : "Normal")
              .withReason(event.reason())
              .withMessage(shortened(event.note()))
              .withNewSource()
              .withComponent(Writer.MANAGER)
              .endSource()
              .withFirstTimestamp(series.first().toString())
              .withLastTimestamp(second.toString())
              .withCount(series.count())
              .build());
    } catch (KubernetesClientException e) {
      if (Failures.namespaceTerminating(e)) {
        end(journey.id());
        return;
      }
      LOG.warn("{}: event {} is lost: {}", journey.id(), event.reason(), e.getMessage());
    }
  }

  void forget(JourneyId journey) {
    ending.remove(journey);
    told.keySet().removeIf(key -> key.journey().equals(journey));
  }

  /** The uid keeps apart the events of a journey and of an earlier one with its name. */
  private static String name(Journey journey, String reason) {
    String uid = journey.uid();
    return "%s.%s.%s"
        .formatted(
            journey.id().name(),
            reason.toLowerCase(Locale.ROOT),
            uid.length() > 8 ? uid.substring(0, 8) : uid);
  }

  private static String shortened(String note) {
    return note.length() <= LONGEST_NOTE ? note : note.substring(0, LONGEST_NOTE);
  }
}
