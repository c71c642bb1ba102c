package dev.ragjourney.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ragjourney.chart.HelmChart;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperatorEnvironmentTest {
  private static final Map<String, String> LEAST = Map.of("RAGJOURNEY_IMAGE", "ragjourney:1");

  @Test
  void with_an_image_alone_it_watches_all_namespaces_without_metrics_and_without_a_lease() {
    OperatorEnvironment environment = OperatorEnvironment.from(LEAST);

    assertThat(environment.operator().image()).isEqualTo("ragjourney:1");
    assertThat(environment.operator().namespaces()).isEmpty();
    assertThat(environment.operator().announcePlans()).isTrue();
    assertThat(environment.operator().leaseNamespace()).isNull();
    assertThat(environment.operator().rollAtOnce()).isEqualTo(5);
    assertThat(environment.prometheus()).isNull();
    assertThat(environment.port()).isEqualTo(8080);
  }

  @Test
  void everything_can_be_set() {
    Map<String, String> all = new HashMap<>(LEAST);
    all.put("RAGJOURNEY_NAMESPACES", "shop, help ,");
    all.put("RAGJOURNEY_PROMETHEUS_URL", "http://prometheus:9090");
    all.put("RAGJOURNEY_PROMETHEUS_TOKEN_FILE", "/etc/prometheus/token");
    all.put("RAGJOURNEY_PROMETHEUS_CA_FILE", "/etc/prometheus/ca.crt");
    all.put("RAGJOURNEY_PROMETHEUS_MATCHERS", "cluster=\"eu\"\n\n env=~\"a|b,c\" ");
    all.put("RAGJOURNEY_LEASE_NAMESPACE", "ragjourney-system");
    all.put("RAGJOURNEY_ANNOUNCE_PLANS", "false");
    all.put("RAGJOURNEY_ROLL_AT_ONCE", "20");
    all.put("RAGJOURNEY_OPERATOR_PORT", "0");
    OperatorEnvironment environment = OperatorEnvironment.from(all);

    assertThat(environment.operator().namespaces()).containsExactlyInAnyOrder("shop", "help");
    assertThat(environment.prometheus().url()).hasHost("prometheus");
    assertThat(environment.prometheus().bearerTokenFile()).hasToString("/etc/prometheus/token");
    assertThat(environment.prometheus().caFile()).hasToString("/etc/prometheus/ca.crt");
    assertThat(environment.prometheus().extraMatchers())
        .containsExactly("cluster=\"eu\"", "env=~\"a|b,c\"");
    assertThat(environment.operator().leaseNamespace()).isEqualTo("ragjourney-system");
    assertThat(environment.operator().announcePlans()).isFalse();
    assertThat(environment.operator().rollAtOnce()).isEqualTo(20);
    assertThat(environment.port()).isZero();
  }

  @Test
  void the_chart_says_it_in_the_operators_words() {
    Map<String, String> said = new HashMap<>();
    HelmChart.only(
            HelmChart.render(
                """
                watchNamespaces: [shop, help]
                announcePlans: false
                rollout: {atOnce: 2}
                pipelineImage: pipeline:2
                prometheus:
                  url: https://prometheus:9090
                  matchers: ['cluster="eu"', 'env=~"a|b"']
                  tokenSecret: {name: prometheus, key: bearer}
                  caConfigMap: {name: prometheus}
                """),
            "Deployment")
        .at("/spec/template/spec/containers/0/env")
        .forEach(each -> said.put(each.path("name").asText(), each.path("value").asText()));
    OperatorEnvironment environment = OperatorEnvironment.from(said);

    assertThat(environment.operator().image()).isEqualTo("pipeline:2");
    assertThat(environment.operator().namespaces()).containsExactlyInAnyOrder("shop", "help");
    assertThat(environment.operator().announcePlans()).isFalse();
    assertThat(environment.operator().rollAtOnce()).isEqualTo(2);
    assertThat(environment.prometheus().url()).hasToString("https://prometheus:9090");
    assertThat(environment.prometheus().extraMatchers())
        .containsExactly("cluster=\"eu\"", "env=~\"a|b\"");
    assertThat(environment.prometheus().bearerTokenFile())
        .hasToString("/etc/ragjourney/prometheus-token/bearer");
    assertThat(environment.prometheus().caFile())
        .hasToString("/etc/ragjourney/prometheus-ca/ca.crt");
    assertThat(environment.port()).isEqualTo(8080);
  }

  @ParameterizedTest(name = "{0}={1} is refused by its name")
  @CsvSource({
    "RAGJOURNEY_IMAGE, ''",
    "RAGJOURNEY_PROMETHEUS_URL, prometheus:9090",
    "RAGJOURNEY_PROMETHEUS_MATCHERS, cluster",
    "RAGJOURNEY_OPERATOR_PORT, 70000",
    "RAGJOURNEY_OPERATOR_PORT, http",
    "RAGJOURNEY_ANNOUNCE_PLANS, yes",
    "RAGJOURNEY_ROLL_AT_ONCE, 0",
    "RAGJOURNEY_ROLL_AT_ONCE, all"
  })
  void a_wrong_value_is_refused_by_its_name(String name, String value) {
    Map<String, String> wrong = new HashMap<>(LEAST);
    wrong.put("RAGJOURNEY_PROMETHEUS_URL", "http://prometheus:9090");
    wrong.put(name, value);

    assertThatThrownBy(() -> OperatorEnvironment.from(wrong)).hasMessageContaining(name);
  }
}
