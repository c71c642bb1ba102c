package dev.ragjourney.support.kubernetes;

import java.util.List;

/**
 * One kind of object that the server keeps.
 *
 * @param group empty for the core group
 * @param statusSubresource status is written through {@code /status} only, spec never through it
 * @param columns of the printed table; empty for name and age
 */
record ResourceType(
    String group,
    String version,
    String kind,
    String plural,
    List<String> shortNames,
    List<String> categories,
    boolean namespaced,
    boolean statusSubresource,
    List<Column> columns) {

  /**
   * A printed column.
   *
   * @param priority above zero for {@code -o wide} only
   */
  record Column(String name, String type, String jsonPath, int priority) {}

  static ResourceType builtIn(
      String group, String version, String kind, String plural, String... shortNames) {
    boolean status = List.of("Deployment", "Pod", "Service", "Namespace", "Node").contains(kind);
    boolean clusterWide =
        List.of(
                "Namespace",
                "Node",
                "ClusterRole",
                "ClusterRoleBinding",
                "CustomResourceDefinition")
            .contains(kind);
    return new ResourceType(
        group,
        version,
        kind,
        plural,
        List.of(shortNames),
        List.of(),
        !clusterWide,
        status,
        BuiltInColumns.of(kind));
  }

  String singular() {
    return kind.toLowerCase(java.util.Locale.ROOT);
  }

  String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }
}
