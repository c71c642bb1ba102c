package dev.ragjourney.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** {@code -o}: text for people, or one JSON document for programs. */
final class OutputOption {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .build();

  enum Format {
    TEXT,
    JSON
  }

  @Option(
      names = {"-o", "--output"},
      defaultValue = "text",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}")
  private Format format = Format.TEXT;

  /**
   * @param text for people
   * @param document for programs: records of strings, numbers and lists
   */
  void print(PrintWriter out, String text, Object document) {
    out.print(format == Format.TEXT ? text : json(document) + "\n");
    out.flush();
  }

  private static String json(Object document) {
    try {
      return JSON.writeValueAsString(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a document of records is always writable", e);
    }
  }
}
