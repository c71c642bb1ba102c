package dev.ragjourney.operator;

import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.operator.observe.OptionalKind;
import dev.ragjourney.rebalance.JourneyId;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kinds that a cluster may lack, looked for again and again: their CRDs may come after the
 * operator, and go. What cannot be watched never counts in liveness; the pipelines do not depend on
 * it.
 */
final class OptionalKinds implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OptionalKinds.class);

  private final KubernetesClient client;
  private final Set<String> namespaces;
  private final Duration every;
  private final Consumer<JourneyId> changed;
  private final Runnable allChanged;
  private final Map<OptionalKind, List<SharedIndexInformer<GenericKubernetesResource>>> watched =
      new ConcurrentHashMap<>();
  private final Repeating thread = new Repeating("optional-kinds");

  /**
   * @param namespaces that are watched; empty for all
   * @param every so often the kinds are looked for
   * @param changed an object of the journey's changed
   * @param allChanged a kind came or went
   */
  OptionalKinds(
      KubernetesClient client,
      Set<String> namespaces,
      Duration every,
      Consumer<JourneyId> changed,
      Runnable allChanged) {
    this.client = client;
    this.namespaces = namespaces;
    this.every = every;
    this.changed = changed;
    this.allChanged = allChanged;
  }

  /** Looks once, so that the first reconcile knows, and goes on looking. */
  void start() {
    // Nobody is told: every journey is reconciled at the start anyway.
    look(() -> {});
    thread.start(every, () -> look(allChanged));
  }

  Set<OptionalKind> known() {
    return Set.copyOf(watched.keySet());
  }

  /** As the watches know it. */
  Optional<HasMetadata> find(OptionalKind kind, JourneyId id) {
    return watched.getOrDefault(kind, List.of()).stream()
        .map(informer -> informer.getStore().getByKey(id.namespace() + "/" + id.name()))
        .filter(Objects::nonNull)
        .map(HasMetadata.class::cast)
        .findFirst();
  }

  private void look(Runnable told) {
    try {
      Map<OptionalKind, Boolean> served = served();
      boolean differs = false;
      for (OptionalKind kind : OptionalKind.values()) {
        boolean is = Boolean.TRUE.equals(served.get(kind));
        if (is && !watched.containsKey(kind)) {
          watched.put(kind, watch(kind));
          LOG.info("the cluster has {}: journeys get theirs", kind.kind());
          differs = true;
        } else if (!is && watched.containsKey(kind)) {
          stop(kind);
          LOG.info("the cluster has no {} any more", kind.kind());
          differs = true;
        }
      }
      if (differs) {
        told.run();
      }
    } catch (KubernetesClientException e) {
      LOG.debug("optional kinds cannot be looked for: {}", e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("looking for optional kinds failed", e);
    }
  }

  private Map<OptionalKind, Boolean> served() {
    Map<OptionalKind, Boolean> served = new EnumMap<>(OptionalKind.class);
    APIResourceList resources = client.getApiResources(OptionalKind.apiVersion());
    if (resources == null || resources.getResources() == null) {
      return served;
    }
    Set<String> kinds =
        resources.getResources().stream().map(APIResource::getKind).collect(Collectors.toSet());
    for (OptionalKind kind : OptionalKind.values()) {
      served.put(kind, kinds.contains(kind.kind()));
    }
    return served;
  }

  private List<SharedIndexInformer<GenericKubernetesResource>> watch(OptionalKind kind) {
    List<SharedIndexInformer<GenericKubernetesResource>> informers = new ArrayList<>();
    var resources = client.genericKubernetesResources(kind.context());
    if (namespaces.isEmpty()) {
      informers.add(
          resources
              .inAnyNamespace()
              .withLabelSelector(Labels.OWNED_SELECTOR)
              .runnableInformer(0)
              .addEventHandler(new Signals()));
    }
    for (String namespace : namespaces) {
      informers.add(
          resources
              .inNamespace(namespace)
              .withLabelSelector(Labels.OWNED_SELECTOR)
              .runnableInformer(0)
              .addEventHandler(new Signals()));
    }
    informers.forEach(
        informer -> {
          informer.exceptionHandler((isStarted, e) -> true);
          var _ = informer.start();
        });
    return List.copyOf(informers);
  }

  private void stop(OptionalKind kind) {
    List<SharedIndexInformer<GenericKubernetesResource>> informers = watched.remove(kind);
    if (informers != null) {
      informers.forEach(SharedIndexInformer::stop);
    }
  }

  @Override
  public void close() {
    thread.close();
    List.copyOf(watched.keySet()).forEach(this::stop);
  }

  private final class Signals implements ResourceEventHandler<GenericKubernetesResource> {
    @Override
    public void onAdd(GenericKubernetesResource object) {
      signal(object);
    }

    @Override
    public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource object) {
      signal(object);
    }

    @Override
    public void onDelete(GenericKubernetesResource object, boolean unknownFinalState) {
      signal(object);
    }

    private void signal(@Nullable GenericKubernetesResource object) {
      Map<String, String> labels = object == null ? null : object.getMetadata().getLabels();
      String journey = labels == null ? null : labels.get(Labels.JOURNEY);
      if (object != null && journey != null) {
        changed.accept(new JourneyId(object.getMetadata().getNamespace(), journey));
      }
    }
  }
}
