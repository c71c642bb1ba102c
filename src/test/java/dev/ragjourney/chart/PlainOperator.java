package dev.ragjourney.chart;

/** The chart's default objects, for those who apply files. */
final class PlainOperator {
  private static final String HEAD =
      """
      # The operator for the whole cluster, as the chart makes it with its defaults. Apply crds/ first.
      # Made from charts/ragjourney. To write it again: mvn test -Dtest=ChartTest -Dchart.write=true
      #
      # Where latencies come from is set afterwards; caps stay as declared without it:
      #   kubectl -n ragjourney-system set env deployment/ragjourney-operator RAGJOURNEY_PROMETHEUS_URL=http://…
      apiVersion: v1
      kind: Namespace
      metadata:
        name: ragjourney-system
        labels:
          app.kubernetes.io/name: ragjourney
          pod-security.kubernetes.io/enforce: restricted
      """;

  private PlainOperator() {}

  static String yaml() {
    return HEAD
        + HelmChart.template(null, "crds.enabled=false", "test.enabled=false")
            .replaceAll("(?m)^# Source: .*\n", "")
            .replaceAll("(?m)^ *app.kubernetes.io/managed-by: Helm\n", "")
            .replaceAll("(?m)^ *helm.sh/chart: .*\n", "");
  }
}
