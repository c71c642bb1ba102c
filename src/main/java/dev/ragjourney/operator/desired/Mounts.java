package dev.ragjourney.operator.desired;

import dev.ragjourney.crd.parsed.Documents;
import dev.ragjourney.crd.parsed.ObjectKey;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.operator.observe.LiveTemplate;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.KeyToPathBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;

/**
 * What the container finds in its file system. Secrets and documents are optional volumes: the pod
 * starts without them and says itself what is missing. Of a Secret only the keys that a backend
 * names are mounted.
 */
record Mounts(List<Volume> volumes, List<VolumeMount> mounts) {
  private static final String PLAN_DIR = "/etc/ragjourney/plan";
  private static final String SECRETS_DIR = "/etc/ragjourney/secrets/";
  private static final String DOCUMENTS_DIR = "/var/lib/ragjourney/documents";

  static Mounts of(ParsedJourney journey, String planMap) {
    Mounts all = new Mounts(new ArrayList<>(), new ArrayList<>());
    all.add(new VolumeBuilder().withName("tmp").withNewEmptyDir().endEmptyDir(), "/tmp", false);
    all.add(
        new VolumeBuilder()
            .withName(LiveTemplate.PLAN_VOLUME)
            .withNewConfigMap()
            .withName(planMap)
            .endConfigMap(),
        PLAN_DIR,
        true);
    all.addDocuments(journey.documents());
    int number = 0;
    for (var entry : MountedKeys.of(journey).entrySet()) {
      all.addKeys("secret-" + number++, entry.getKey(), entry.getValue());
    }
    return all;
  }

  private void addDocuments(@org.jspecify.annotations.Nullable Documents documents) {
    VolumeBuilder volume = new VolumeBuilder().withName("documents");
    switch (documents) {
      case null -> {}
      case Documents.FromConfigMap(String name) ->
          add(
              volume.withNewConfigMap().withName(name).withOptional(true).endConfigMap(),
              DOCUMENTS_DIR,
              true);
      case Documents.FromClaim(String claimName) ->
          add(volume.withNewPersistentVolumeClaim(claimName, true), DOCUMENTS_DIR, true);
    }
  }

  private void addKeys(String volumeName, MountedKeys.Source source, SortedSet<String> keys) {
    VolumeBuilder volume = new VolumeBuilder().withName(volumeName);
    List<KeyToPath> items =
        keys.stream()
            .map(key -> new KeyToPathBuilder().withKey(key).withPath(key).build())
            .toList();
    add(
        source.kind() == ObjectKey.Source.SECRET
            ? volume
                .withNewSecret()
                .withSecretName(source.name())
                .withOptional(true)
                .withItems(items)
                .endSecret()
            : volume
                .withNewConfigMap()
                .withName(source.name())
                .withOptional(true)
                .withItems(items)
                .endConfigMap(),
        SECRETS_DIR + source.folder(),
        true);
  }

  private void add(VolumeBuilder volume, String path, boolean readOnly) {
    Volume built = volume.build();
    volumes.add(built);
    VolumeMountBuilder mount =
        new VolumeMountBuilder().withName(built.getName()).withMountPath(path);
    mounts.add(readOnly ? mount.withReadOnly(true).build() : mount.build());
  }
}
