package dev.ragjourney.support;

import dev.ragjourney.plan.InvalidPlanException;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.PlanCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A directory that changes as kubelet changes a mounted ConfigMap: the files lie in a directory of
 * their own, {@code ..data} is a symbolic link to it, and an update renames a new link over it.
 */
public final class MountedPlan {
  private final Path directory;
  private int version;

  public MountedPlan(Path directory) {
    this.directory = directory;
  }

  public Path directory() {
    return directory;
  }

  public void write(Plan plan) throws IOException, InvalidPlanException {
    write(PlanCodec.write(plan));
  }

  public synchronized void write(String document) throws IOException {
    Path files = Files.createDirectory(directory.resolve("..version-" + version++));
    Files.writeString(files.resolve(Plan.FILE), document);
    Path link = directory.resolve("..data_tmp");
    Files.createSymbolicLink(link, files.getFileName());
    Files.move(link, directory.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    Path visible = directory.resolve(Plan.FILE);
    if (!Files.isSymbolicLink(visible)) {
      Files.createSymbolicLink(visible, Path.of("..data", Plan.FILE));
    }
  }
}
