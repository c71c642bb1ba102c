package dev.ragjourney.chart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The chart as Helm reads it. */
public final class HelmChart {
  public static final Path FOLDER = Path.of("charts", "ragjourney");
  public static final String NAMESPACE = "ragjourney-system";

  /** The system property that writes generated files before they are compared. */
  public static final String WRITE = "chart.write";

  static final YAMLMapper YAML = new YAMLMapper();

  private static final String KUBERNETES = "1.34.0";
  private static final Helm HELM = new Helm(FOLDER);

  private HelmChart() {}

  static LintResult lint() {
    return HELM.lint().strict().call();
  }

  /** What {@code helm template} prints for a release named ragjourney. */
  static String template(@Nullable Path values, String... settings) {
    TemplateCommand command =
        HELM.template().withName("ragjourney").withNamespace(NAMESPACE).withKubeVersion(KUBERNETES);
    if (values != null) {
      command.withValuesFile(values);
    }
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      command.set(setting.substring(0, equals), setting.substring(equals + 1));
    }
    return command.call();
  }

  /**
   * The objects of a release.
   *
   * @param values a text of values over the defaults
   */
  public static List<JsonNode> render(String values) {
    return objects(text(values));
  }

  /**
   * What {@code helm template} prints.
   *
   * @param values a text of values over the defaults
   */
  public static String text(String values) {
    try {
      Path file = Files.createTempFile("values", ".yaml");
      try {
        Files.writeString(file, values);
        return template(file);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The documents of a YAML text that are not empty. */
  public static List<JsonNode> objects(String yaml) {
    List<JsonNode> objects = new ArrayList<>();
    try (MappingIterator<JsonNode> documents = YAML.readerFor(JsonNode.class).readValues(yaml)) {
      while (documents.hasNext()) {
        JsonNode object = documents.next();
        if (object.isObject()) {
          objects.add(object);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return objects;
  }

  public static List<JsonNode> ofKind(List<JsonNode> objects, String kind) {
    return objects.stream().filter(object -> object.path("kind").asText().equals(kind)).toList();
  }

  public static JsonNode only(List<JsonNode> objects, String kind) {
    List<JsonNode> found = ofKind(objects, kind);
    if (found.size() != 1) {
      throw new AssertionError("there should be one " + kind + ", but there are " + found);
    }
    return found.getFirst();
  }

  /** One field of the first document of a file, as YAML. */
  public static String read(Path file, String field) throws IOException {
    return YAML.writeValueAsString(objects(Files.readString(file)).getFirst().path(field));
  }
}
