package dev.ragjourney.crd;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.UncheckedIOException;

/** Reads the YAML of tests as the operator reads objects. */
final class Yaml {
  static final ObjectMapper MAPPER = new ObjectMapper(new YAMLFactory());

  private Yaml() {}

  static <T> T read(String yaml, Class<T> type) {
    try {
      return MAPPER.readValue(yaml, type);
    } catch (JsonProcessingException wrong) {
      throw new UncheckedIOException(wrong);
    }
  }
}
