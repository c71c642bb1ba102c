package dev.ragjourney.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.ragjourney.crd.RagJourney;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A RagJourney in a file.
 *
 * @param apiVersion as the file has it
 * @param namespace null where the file gives none
 * @param spec null where there is none
 */
record Manifest(
    String apiVersion, String name, @Nullable String namespace, @Nullable JsonNode spec) {
  private static final ObjectMapper YAML = YAMLMapper.builder().build();

  /** The name of standard input. */
  static final String STANDARD_INPUT = "-";

  /**
   * All RagJourneys of a file of YAML or JSON documents, those in lists included. Other kinds are
   * passed over.
   *
   * @throws CommandFailedException if the file cannot be read or holds no RagJourney
   */
  static List<Manifest> read(String file, InputStream standardInput) {
    if (Files.isDirectory(Path.of(file))) {
      throw new CommandFailedException(file + " is a folder; name the files in it");
    }
    List<String> otherKinds = new ArrayList<>();
    List<Manifest> found = new ArrayList<>();
    try (InputStream in =
            file.equals(STANDARD_INPUT) ? standardInput : Files.newInputStream(Path.of(file));
        MappingIterator<JsonNode> documents = YAML.readerFor(JsonNode.class).readValues(in)) {
      while (documents.hasNextValue()) {
        collect(documents.nextValue(), found, otherKinds);
      }
    } catch (JsonProcessingException e) {
      throw new CommandFailedException(file + " is no valid YAML: " + problem(e));
    } catch (NoSuchFileException e) {
      throw new CommandFailedException("there is no file " + file);
    } catch (IOException e) {
      throw new CommandFailedException(file + " cannot be read: " + e.getMessage());
    }
    if (found.isEmpty()) {
      throw new CommandFailedException(
          file
              + " holds no RagJourney; "
              + (otherKinds.isEmpty()
                  ? "it is empty"
                  : "it holds " + String.join(", ", otherKinds)));
    }
    return found;
  }

  private static void collect(JsonNode document, List<Manifest> found, List<String> otherKinds) {
    if (document.isNull() || document.isMissingNode()) {
      return;
    }
    String kind = document.path("kind").asText("");
    if (kind.equals(RagJourney.KIND)) {
      JsonNode metadata = document.path("metadata");
      JsonNode spec = document.get("spec");
      found.add(
          new Manifest(
              document.path("apiVersion").asText(""),
              metadata.path("name").asText(""),
              metadata.path("namespace").asText(null),
              spec == null || spec.isNull() ? null : spec));
    } else if (kind.endsWith("List") && document.path("items").isArray()) {
      document.path("items").forEach(item -> collect(item, found, otherKinds));
    } else {
      otherKinds.add(kind.isEmpty() ? "an object without kind" : kind);
    }
  }

  private static String problem(JsonProcessingException e) {
    String message =
        e.getOriginalMessage()
            .lines()
            .filter(line -> !line.startsWith(" "))
            .collect(Collectors.joining("; "));
    return e.getLocation() == null
        ? message
        : message
            + " (line "
            + e.getLocation().getLineNr()
            + ", column "
            + e.getLocation().getColumnNr()
            + ")";
  }
}
