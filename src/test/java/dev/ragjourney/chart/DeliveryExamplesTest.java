package dev.ragjourney.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.crd.RagJourney;
import dev.ragjourney.operator.Journeys;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPBackendRef;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.ServiceBackendPort;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How the chart and journeys reach a cluster, and users reach a journey. */
class DeliveryExamplesTest {
  private static final Path EXAMPLES = Path.of("examples");

  /** As the operator makes it for a journey named faq. */
  private static final Service SERVICE =
      Journeys.minimal().objects().apply().stream()
          .filter(Service.class::isInstance)
          .map(Service.class::cast)
          .findFirst()
          .orElseThrow();

  @Test
  void the_values_of_the_argo_cd_application_are_taken_by_the_chart() throws IOException {
    JsonNode application = objects("argocd/application.yaml").getFirst();

    assertThat(Path.of(application.at("/spec/source/path").asText())).isEqualTo(HelmChart.FOLDER);
    rendersAll(application.at("/spec/source/helm/valuesObject"));
  }

  @Test
  void the_values_of_the_flux_release_are_taken_by_the_chart() throws IOException {
    JsonNode release = HelmChart.only(objects("flux/helmrelease.yaml"), "HelmRelease");

    assertThat(Path.of(release.at("/spec/chart/spec/chart").asText())).isEqualTo(HelmChart.FOLDER);
    rendersAll(release.at("/spec/values"));
  }

  private static void rendersAll(JsonNode values) throws IOException {
    assertThat(values.isObject()).isTrue();
    List<JsonNode> rendered = HelmChart.render(HelmChart.YAML.writeValueAsString(values));
    assertThat(HelmChart.only(rendered, "Deployment").at("/spec/replicas").asInt()).isEqualTo(2);
    assertThat(HelmChart.ofKind(rendered, "PodMonitor")).hasSize(1);
    assertThat(HelmChart.ofKind(rendered, "PrometheusRule")).hasSize(1);
  }

  @Test
  void the_operator_comes_in_an_earlier_wave_than_journeys_and_no_difference_is_ignored()
      throws IOException {
    List<JsonNode> applications = objects("argocd/application.yaml");

    assertThat(applications)
        .extracting(
            application ->
                application
                    .at("/metadata/annotations")
                    .path("argocd.argoproj.io/sync-wave")
                    .asText())
        .containsExactly("0", "1");
    assertThat(applications)
        .noneMatch(application -> application.path("spec").has("ignoreDifferences"));
  }

  @Test
  void argo_cd_is_given_the_charts_health_check_under_the_resources_name() throws IOException {
    JsonNode data = objects("argocd/argocd-cm.yaml").getFirst().path("data");
    HasMetadata journey = new RagJourney();

    assertThat(data.properties()).hasSize(1);
    assertThat(
            data.path(
                    "resource.customizations.health.%s_%s"
                        .formatted(
                            journey
                                .getApiVersion()
                                .substring(0, journey.getApiVersion().indexOf('/')),
                            journey.getKind()))
                .asText())
        .isEqualTo(Files.readString(ArgoHealth.SCRIPT));
  }

  @Test
  void the_ingress_leads_to_the_service_that_the_operator_makes() throws IOException {
    Ingress ingress = typed("routing/ingress.yaml", Ingress.class);
    var backend =
        ingress
            .getSpec()
            .getRules()
            .getFirst()
            .getHttp()
            .getPaths()
            .getFirst()
            .getBackend()
            .getService();

    assertThat(backend.getName()).isEqualTo(SERVICE.getMetadata().getName());
    assertThat(SERVICE.getSpec().getPorts())
        .extracting(ServicePort::getName)
        .contains(backend.getPort().getName());
    assertThat(backend.getPort()).extracting(ServiceBackendPort::getNumber).isNull();
  }

  @Test
  void the_route_leads_to_the_service_that_the_operator_makes() throws IOException {
    HTTPRoute route = typed("routing/httproute.yaml", HTTPRoute.class);
    HTTPBackendRef backend = route.getSpec().getRules().getFirst().getBackendRefs().getFirst();

    assertThat(backend.getName()).isEqualTo(SERVICE.getMetadata().getName());
    assertThat(SERVICE.getSpec().getPorts())
        .extracting(ServicePort::getPort)
        .contains(backend.getPort());
    assertThat(route.getSpec().getRules().getFirst().getTimeouts().getRequest()).isEqualTo("5m10s");
  }

  @Test
  void the_examples_page_names_every_file() throws IOException {
    String page = Files.readString(EXAMPLES.resolve("README.md"));

    assertThat(
            List.of(
                "self-hosted.yaml",
                "hybrid.yaml",
                "operator/",
                "argocd/",
                "flux/",
                "kustomize/",
                "routing/"))
        .allSatisfy(
            name -> {
              assertThat(EXAMPLES.resolve(name)).exists();
              assertThat(page).contains("`" + name + "`");
            });
  }

  private static List<JsonNode> objects(String file) throws IOException {
    return HelmChart.objects(Files.readString(EXAMPLES.resolve(file)));
  }

  private static <T extends HasMetadata> T typed(String file, Class<T> type) throws IOException {
    return Serialization.unmarshal(Files.readString(EXAMPLES.resolve(file)), type);
  }
}
