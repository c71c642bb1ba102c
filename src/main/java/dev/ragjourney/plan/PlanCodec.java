package dev.ragjourney.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ragjourney.budget.Finding;
import dev.ragjourney.plan.InvalidPlanException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The only reader and writer of {@code plan.json}.
 *
 * <p>Reading is strict about everything it knows: a missing field, a null, a number in quotes, a
 * duplicate key or a name that refers to nothing is refused with its path. Fields it does not know
 * come from a newer writer of the same schema and are ignored. Writing is deterministic: equal
 * plans give equal bytes.
 */
public final class PlanCodec {
  /** Half of what a ConfigMap holds, so that an annotation with a copy still fits. */
  public static final int MAX_BYTES = 512 * 1024;

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .annotationIntrospector(new NullabilityIntrospector())
          .addModule(new BudgetModule())
          .build();

  private static final ObjectWriter WRITER = MAPPER.writer(printer());

  private PlanCodec() {}

  /**
   * @return indented JSON that ends in a newline
   * @throws InvalidPlanException if the plan contradicts itself or is larger than {@link
   *     #MAX_BYTES}
   */
  public static String write(Plan plan) throws InvalidPlanException {
    check(plan);
    String json;
    try {
      json = WRITER.writeValueAsString(plan) + "\n";
    } catch (JsonMappingException e) {
      throw new InvalidPlanException(Reason.FIELD, path(e.getPath()), problem(e), e);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a plan is always writable", e);
    }
    checkSize(json.getBytes(StandardCharsets.UTF_8).length);
    return json;
  }

  public static Plan read(String json) throws InvalidPlanException {
    return read(json.getBytes(StandardCharsets.UTF_8));
  }

  public static Plan read(byte[] json) throws InvalidPlanException {
    checkSize(json.length);
    JsonNode tree = parse(json);
    checkSchemaVersion(tree);
    Plan plan;
    try {
      plan = MAPPER.treeToValue(tree, Plan.class);
    } catch (JsonMappingException e) {
      throw new InvalidPlanException(Reason.FIELD, path(e.getPath()), problem(e), e);
    } catch (JsonProcessingException e) {
      throw new InvalidPlanException(Reason.FIELD, "", e.getOriginalMessage(), e);
    }
    check(plan);
    return plan;
  }

  private static JsonNode parse(byte[] json) throws InvalidPlanException {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new InvalidPlanException(
          Reason.NOT_JSON,
          "",
          "not a whole JSON document (%d bytes, line %d): %s"
              .formatted(json.length, e.getLocation().getLineNr(), e.getOriginalMessage()),
          e);
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory are always readable", e);
    }
  }

  private static void checkSize(int bytes) throws InvalidPlanException {
    if (bytes > MAX_BYTES) {
      throw new InvalidPlanException(
          Reason.TOO_LARGE, "", "%d bytes; at most %d".formatted(bytes, MAX_BYTES));
    }
  }

  private static void checkSchemaVersion(JsonNode tree) throws InvalidPlanException {
    if (!tree.isObject()) {
      throw new InvalidPlanException(
          Reason.NOT_JSON, "", "a JSON object is expected, found " + tree.getNodeType());
    }
    JsonNode version = tree.path("schemaVersion");
    if (!version.isIntegralNumber() || version.asLong() != Plan.SCHEMA_VERSION) {
      throw new InvalidPlanException(
          Reason.SCHEMA_VERSION,
          "schemaVersion",
          "%s; this version reads %d"
              .formatted(version.isMissingNode() ? "missing" : version, Plan.SCHEMA_VERSION));
    }
  }

  private static void check(Plan plan) throws InvalidPlanException {
    List<Finding> findings = PlanCheck.findings(plan);
    if (!findings.isEmpty()) {
      Finding first = findings.getFirst();
      throw new InvalidPlanException(Reason.FIELD, first.path(), first.message());
    }
  }

  private static String path(List<Reference> references) {
    StringBuilder path = new StringBuilder();
    for (Reference reference : references) {
      if (reference.getFieldName() == null) {
        path.append('[').append(reference.getIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(reference.getFieldName());
      }
    }
    return path.toString();
  }

  /** The first sentence of what Jackson says: the rest is about Java types and source positions. */
  private static String problem(JsonMappingException e) {
    String message = e.getOriginalMessage();
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }

  private static DefaultPrettyPrinter printer() {
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    return new DefaultPrettyPrinter(
            Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER))
        .withObjectIndenter(indenter)
        .withArrayIndenter(indenter);
  }
}
