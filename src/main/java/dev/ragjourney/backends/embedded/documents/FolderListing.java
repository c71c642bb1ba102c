package dev.ragjourney.backends.embedded.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of a folder that can be indexed, sorted by name.
 *
 * <p>A mounted ConfigMap shows each file as a link into a folder whose name begins with two dots;
 * such names are left out, and a file that two links lead to is taken once. A link that leads out
 * of the folder is not followed.
 *
 * @param files sorted by name
 * @param others files of other kinds
 * @param problems what could not be listed
 */
record FolderListing(List<Entry> files, int others, List<DocumentProblem> problems) {
  private static final int DEEPEST = 16;

  FolderListing {
    files = List.copyOf(files);
    problems = List.copyOf(problems);
  }

  enum Kind {
    TEXT,
    MARKDOWN,
    HTML,
    JSON_LINES;

    static @Nullable Kind of(String fileName) {
      String name = fileName.toLowerCase(Locale.ROOT);
      return switch (name.substring(name.lastIndexOf('.') + 1)) {
        case "txt" -> TEXT;
        case "md", "markdown" -> MARKDOWN;
        case "html", "htm", "xhtml" -> HTML;
        case "jsonl", "ndjson" -> JSON_LINES;
        default -> null;
      };
    }
  }

  /**
   * @param name the path below the folder, with slashes
   */
  record Entry(String name, Path path, Kind kind) {}

  static FolderListing of(Path root, int mostFiles) throws DocumentsUnavailableException {
    if (!Files.exists(root)) {
      throw new DocumentsUnavailableException(root + " does not exist: nothing is mounted there");
    }
    if (!Files.isDirectory(root)) {
      throw new DocumentsUnavailableException(root + " is a file; it has to be a folder");
    }
    try {
      Walk walk = new Walk(root.toRealPath(), mostFiles);
      walk.folder(root, "", 0);
      return new FolderListing(walk.files, walk.others, walk.problems);
    } catch (IOException e) {
      throw new DocumentsUnavailableException(root + " cannot be read: " + reason(e));
    }
  }

  /** The file's path, which most messages of the JDK consist of, is left out. */
  static String reason(IOException e) {
    return switch (e) {
      case AccessDeniedException _ -> "permission denied";
      case NoSuchFileException _ -> "no such file";
      default -> e.getClass().getSimpleName();
    };
  }

  private static final class Walk {
    private final Path realRoot;
    private final int mostFiles;
    private final Set<Path> seen = new HashSet<>();
    private final List<Entry> files = new ArrayList<>();
    private final List<DocumentProblem> problems = new ArrayList<>();
    private int others;
    private boolean full;

    Walk(Path realRoot, int mostFiles) {
      this.realRoot = realRoot;
      this.mostFiles = mostFiles;
      seen.add(realRoot);
    }

    void folder(Path folder, String prefix, int depth) throws IOException {
      List<Path> children;
      try (Stream<Path> list = Files.list(folder)) {
        children =
            list.sorted(Comparator.comparing(path -> path.getFileName().toString())).toList();
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
      for (Path child : children) {
        String name = child.getFileName().toString();
        if (!name.startsWith("..") && !full) {
          child(child, prefix + name, depth);
        }
      }
    }

    private void child(Path child, String name, int depth) {
      try {
        Path real = child.toRealPath();
        if (!real.startsWith(realRoot)) {
          problems.add(new DocumentProblem(name, null, "is a link that leads out of the folder"));
        } else if (Files.isDirectory(real)) {
          if (seen.add(real) && depth < DEEPEST) {
            folder(child, name + "/", depth + 1);
          }
        } else {
          file(child, name, real);
        }
      } catch (IOException e) {
        problems.add(new DocumentProblem(name, null, "cannot be read: " + reason(e)));
      }
    }

    private void file(Path child, String name, Path real) {
      Kind kind = Kind.of(name);
      if (kind == null || !Files.isRegularFile(real)) {
        others++;
      } else if (seen.add(real)) {
        if (files.size() == mostFiles) {
          full = true;
          String message = "more than " + mostFiles + " files; this one and the rest are left out";
          problems.add(new DocumentProblem(name, null, message));
          return;
        }
        files.add(new Entry(name, child, kind));
      }
    }
  }
}
