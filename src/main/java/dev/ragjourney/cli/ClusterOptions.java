package dev.ragjourney.cli;

import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster and namespace: the options of kubectl, with its defaults. */
final class ClusterOptions {
  private static final int CONNECT_MILLIS = 10_000;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "instead of those in KUBECONFIG, or ~/.kube/config")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "of the kubeconfig; default: its current one")
  private @Nullable String context;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "default: the context's")
  private @Nullable String namespace;

  /** The namespace that was asked for; null for the default. */
  @Nullable String namespace() {
    return namespace;
  }

  /** With a namespace in any case. */
  Config config() {
    Config config = kubeconfig == null ? Config.autoConfigure(context) : read(kubeconfig);
    List<String> known =
        Objects.requireNonNullElse(config.getContexts(), List.<NamedContext>of()).stream()
            .map(NamedContext::getName)
            .toList();
    if (context != null && !known.contains(context)) {
      throw new CommandFailedException(
          "there is no context '%s'; the kubeconfig has %s"
              .formatted(context, known.isEmpty() ? "none" : String.join(", ", known)));
    }
    String chosen = namespace == null ? config.getNamespace() : namespace;
    return new ConfigBuilder(config)
        .withNamespace(chosen == null || chosen.isEmpty() ? "default" : chosen)
        .withConnectionTimeout(CONNECT_MILLIS)
        .withRequestRetryBackoffLimit(1)
        .build();
  }

  private Config read(Path file) {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new CommandFailedException("the kubeconfig " + file + " cannot be read");
    }
    try {
      return Config.fromKubeconfig(context, file.toFile());
    } catch (KubernetesClientException | IllegalArgumentException e) {
      throw new CommandFailedException("the kubeconfig " + file + " is no valid one");
    }
  }
}
