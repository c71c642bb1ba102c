package dev.ragjourney.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ragjourney.crd.RagJourney;
import dev.ragjourney.crd.RawSpecReader;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.plan.InvalidPlanException;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.PlanCodec;
import dev.ragjourney.rebalance.JourneyId;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which journey: one of a cluster, or one of a file. */
final class JourneyOptions {
  private static final Pattern NAMED =
      Pattern.compile("(?:(?:rj|ragjourneys?)(?:\\.ragjourney\\.dev)?/)?([a-z0-9][-a-z0-9.]*)");

  private static final ObjectMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  @Parameters(
      arity = "0..1",
      paramLabel = "rj/NAME",
      description = "a journey of the cluster; needs get on ragjourneys and list on configmaps")
  private @Nullable String journey;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "a manifest instead, with the caps that it declares; - is standard input")
  private @Nullable String file;

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  LoadedJourney load(Surroundings surroundings) {
    if ((journey == null) == (file == null)) {
      throw new CommandFailedException(
          journey == null
              ? "name a journey, like rj/faq, or a manifest with -f FILE"
              : "name a journey or a manifest with -f, not both");
    }
    return file == null ? live(Objects.requireNonNull(journey)) : fromFile(file, surroundings);
  }

  private LoadedJourney fromFile(String name, Surroundings surroundings) {
    List<Manifest> manifests = Manifest.read(name, surroundings.in());
    if (manifests.size() > 1) {
      throw new CommandFailedException(
          name + " holds " + manifests.size() + " RagJourneys; one is needed");
    }
    Manifest manifest = manifests.getFirst();
    String asked = cluster.namespace();
    String namespace = asked == null ? manifest.namespace() : asked;
    return new LoadedJourney(
        new JourneyId(namespace == null ? "default" : namespace, manifest.name()),
        manifest.spec(),
        RawSpecReader.read(manifest.name(), manifest.spec()),
        null,
        null,
        false,
        List.of("the caps are those that " + name + " declares"));
  }

  private LoadedJourney live(String argument) {
    Matcher named = NAMED.matcher(argument);
    if (!named.matches()) {
      throw new CommandFailedException("'" + argument + "' names no journey; write rj/NAME");
    }
    Config config = cluster.config();
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      return live(client, new JourneyId(config.getNamespace(), named.group(1)));
    } catch (KubernetesClientException e) {
      throw new CommandFailedException(problem(config, e));
    }
  }

  private static LoadedJourney live(KubernetesClient client, JourneyId id) {
    GenericKubernetesResource found =
        client
            .genericKubernetesResources(RagJourney.API_VERSION, RagJourney.KIND)
            .inNamespace(id.namespace())
            .withName(id.name())
            .get();
    if (found == null) {
      throw new CommandFailedException(
          "there is no RagJourney %s in namespace %s; see kubectl get rj -A"
              .formatted(id.name(), id.namespace()));
    }
    JsonNode document = JSON.valueToTree(found.getAdditionalProperties());
    JsonNode spec = document.get("spec");
    List<String> notes = new ArrayList<>();
    Plan plan = plan(client, id, notes);
    return new LoadedJourney(
        id,
        spec,
        RawSpecReader.read(id.name(), spec),
        status(document.get("status"), notes),
        plan,
        RagJourney.paused(found.getMetadata().getAnnotations()),
        notes);
  }

  /** The newest plan: the record of the caps in force. */
  private static @Nullable Plan plan(KubernetesClient client, JourneyId id, List<String> notes) {
    List<ConfigMap> maps;
    try {
      maps =
          client
              .configMaps()
              .inNamespace(id.namespace())
              .withLabel(RagJourney.JOURNEY_LABEL, id.name())
              .list()
              .getItems();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw e;
      }
      notes.add("the ConfigMaps may not be listed, so the caps are those of status");
      return null;
    }
    Plan newest = null;
    for (ConfigMap map : maps) {
      String json = map.getData() == null ? null : map.getData().get(Plan.FILE);
      try {
        Plan plan = json == null ? null : PlanCodec.read(json);
        if (plan != null && (newest == null || plan.revision() > newest.revision())) {
          newest = plan;
        }
      } catch (InvalidPlanException e) {
        notes.add("the plan in ConfigMap " + map.getMetadata().getName() + " cannot be read");
      }
    }
    if (newest == null && notes.isEmpty()) {
      notes.add("there is no plan yet");
    }
    return newest;
  }

  private static @Nullable RagJourneyStatus status(@Nullable JsonNode json, List<String> notes) {
    try {
      return json == null ? null : JSON.treeToValue(json, RagJourneyStatus.class);
    } catch (JsonProcessingException e) {
      notes.add("the status is of a version that this command does not know");
      return null;
    }
  }

  private static String problem(Config config, KubernetesClientException e) {
    if (e.getStatus() != null && e.getStatus().getMessage() != null) {
      return config.getMasterUrl() + " says: " + e.getStatus().getMessage();
    }
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    return "no answer from the cluster at %s: %s; is the kubeconfig right?"
        .formatted(
            config.getMasterUrl(), message == null ? cause.getClass().getSimpleName() : message);
  }
}
