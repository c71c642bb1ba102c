package dev.ragjourney.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A mounted ConfigMap or Secret, laid out and updated as a kubelet does it: the files are symbolic
 * links through {@code ..data}, which is swapped in one rename.
 */
final class ConfigVolume {
  private final Path directory;
  private Map<String, byte[]> content = Map.of();
  private long version;

  ConfigVolume(Path directory) {
    this.directory = directory;
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path directory() {
    return directory;
  }

  /** Swaps the whole content; does nothing if it is the same. */
  synchronized void write(Map<String, byte[]> wanted) {
    if (same(content, wanted)) {
      return;
    }
    try {
      Path data = Files.createDirectory(directory.resolve("..v" + ++version));
      for (Map.Entry<String, byte[]> file : wanted.entrySet()) {
        Files.write(data.resolve(file.getKey()), file.getValue());
      }
      Path next = directory.resolve("..data_tmp");
      Files.deleteIfExists(next);
      Files.createSymbolicLink(next, data.getFileName());
      Files.move(next, directory.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
      for (String gone : content.keySet()) {
        if (!wanted.containsKey(gone)) {
          Files.deleteIfExists(directory.resolve(gone));
        }
      }
      for (String name : wanted.keySet()) {
        Path link = directory.resolve(name);
        if (!Files.isSymbolicLink(link)) {
          Files.createSymbolicLink(link, Path.of("..data", name));
        }
      }
      delete(directory.resolve("..v" + (version - 1)));
      content = new TreeMap<>(wanted);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean same(Map<String, byte[]> one, Map<String, byte[]> other) {
    return one.keySet().equals(other.keySet())
        && one.entrySet().stream()
            .allMatch(file -> Arrays.equals(file.getValue(), other.get(file.getKey())));
  }

  static void delete(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
